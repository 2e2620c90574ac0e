import type { Attempt, CheckResult, TrialLine } from "../records/index.ts";
import { asksBack } from "../scores/index.ts";
import type { Transcript } from "../transcripts/index.ts";
import type { JobResult } from "./executor.ts";
import { costOf } from "./schedule.ts";

interface Asked {
  target: string;
  ask: string;
  run: number;
}

/** The record's line of a trial that was asked. */
export function askedLine(asked: Asked, attempts: readonly JobResult[], askedBecause: string | undefined): TrialLine {
  const last = attempts.at(-1)!;
  return {
    ...startOf(asked, attempts[0]!.startedAt, last.transcript),
    ms: round(last.ms),
    checks: last.checks,
    attempts: attempts.map(attemptOf),
    ...costsOf(attempts),
    ...(askedBecause !== undefined && { askedBecause }),
  };
}

/** The record's line of a trial that was answered from the cache: it cost nothing and took no time. */
export function cachedLine(
  asked: Asked,
  answer: { measuredAt: string; ms: number; transcript: Transcript },
  checks: CheckResult[],
): TrialLine {
  const { costUsd } = answer.transcript;
  return {
    ...startOf(asked, new Date().toISOString(), answer.transcript),
    ms: 0,
    checks,
    attempts: [],
    costUsd: 0,
    cached: { measuredAt: answer.measuredAt, savedMs: round(answer.ms), ...(costUsd !== undefined && { savedUsd: costUsd }) },
  };
}

/** Texts and calls are kept beside the record; without any, the line says it all. */
export function worthKeeping({ texts, calls }: Transcript): boolean {
  return texts.length > 0 || calls.length > 0;
}

type Start = Omit<TrialLine, "ms" | "checks" | "attempts">;

function startOf({ target, ask, run }: Asked, startedAt: string, transcript: Transcript): Start {
  const { outcome, activations, how, turns, listing, prediction, usage, finalText } = transcript;
  return {
    type: "trial",
    target,
    ask,
    run,
    startedAt,
    how,
    turns,
    activations,
    ...(outcome.status === "error" && { error: outcome.error }),
    ...(usage && { usage }),
    ...(listing && { listing }),
    ...(prediction && { prediction }),
    ...(activations.length === 0 && finalText !== "" && asksBack(finalText) && { askedBack: true }),
  };
}

function attemptOf(result: JobResult): Attempt {
  const { outcome, usage } = result.transcript;
  const usd = costOf(result);
  return {
    ms: round(result.ms),
    ...(outcome.status === "error" && { error: outcome.error }),
    ...(usage && { usage }),
    ...(usd !== undefined && { costUsd: usd }),
  };
}

/** The sum over all attempts; not known when the one that was measured did not say. */
function costsOf(attempts: readonly JobResult[]): { costUsd?: number; costEstimated?: boolean } {
  const costs = attempts.map(costOf);
  const last = attempts.at(-1)!.transcript;
  const known = costs.filter((cost) => cost !== undefined);
  if (known.length === 0 || (last.outcome.status !== "error" && costs.at(-1) === undefined)) return {};
  return { costUsd: known.reduce((sum, cost) => sum + cost, 0), ...(last.costEstimated && { costEstimated: true }) };
}

/** A tenth of a millisecond is as exact as a clock is. */
function round(ms: number): number {
  return Math.round(ms * 10) / 10;
}
