import type { Interval, Rate, ResolvedScoreOptions, Verdict } from "../../../model/index.ts";
import { midP } from "../statistics/clusters.ts";
import { cleared, confidenceSequence, earliestClear, reaches } from "../statistics/stopping.ts";
import { has, RUN, type Run } from "../tallies/question-tally.ts";

interface Judgement {
  verdict: Verdict;
  flaky: boolean;
  hits: number;
  rate: Rate;
  uncut: readonly Run[];
  /** Enough was measured for the question to count in a rate. */
  counts: boolean;
}

interface AskedQuestion {
  positive: boolean;
  planned: number;
  deterministic: boolean;
}

/**
 * A positive passes at hit rate ≥ threshold, a negative at < negativeThreshold, over measured runs. There is no verdict
 * if fewer than half of the planned runs were measured.
 */
export function judge(
  runs: readonly Run[],
  { positive, planned, deterministic }: AskedQuestion,
  options: ResolvedScoreOptions,
): Judgement {
  let hits = 0;
  for (const run of runs) if (has(run, RUN.passed) === positive) hits++;
  const threshold = positive ? options.threshold : options.negativeThreshold;
  const mixed = hits > 0 && hits < runs.length;
  if (options.confidence !== null && !deterministic) {
    const alpha = 1 - options.confidence;
    const side = sideOf(runs, positive, { threshold, alpha });
    const { low, high } = confidenceSequence(hits, runs.length, alpha);
    return {
      verdict: side === null ? "inconclusive" : (side === "above") === positive ? "pass" : "fail",
      flaky: mixed || (side === null && runs.length > 0),
      hits,
      rate: rateOf(hits, runs.length, runs.length === 0 ? null : { low, high }),
      uncut: runs.slice(0, earliestClear(threshold, alpha)),
      counts: runs.length > 0,
    };
  }
  const enough = runs.length > 0 && runs.length * 2 >= planned;
  return {
    verdict: !enough ? "inconclusive" : reaches(hits, runs.length, threshold) === positive ? "pass" : "fail",
    flaky: mixed,
    hits,
    rate: rateOf(hits, runs.length, deterministic ? null : midP(hits, runs.length)),
    uncut: options.earlyStop && !deterministic ? runs.slice(0, Math.max(1, Math.ceil(planned / 2))) : runs,
    counts: enough,
  };
}

/** The side on which the sequence first cleared the threshold. What it once excluded stays excluded. */
function sideOf(
  runs: readonly Run[],
  positive: boolean,
  rule: { threshold: number; alpha: number },
): "above" | "below" | null {
  let hits = 0;
  for (const [index, run] of runs.entries()) {
    if (has(run, RUN.passed) === positive) hits++;
    const side = cleared(hits, index + 1, rule);
    if (side !== null) return side;
  }
  return null;
}

function rateOf(hits: number, n: number, interval: Interval | null): Rate {
  return {
    value: n === 0 ? null : hits / n,
    n,
    prompts: n === 0 ? 0 : 1,
    low: interval?.low ?? null,
    high: interval?.high ?? null,
  };
}
