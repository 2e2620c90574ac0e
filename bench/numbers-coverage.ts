import { midP } from "../src/exam/score/statistics/clusters.ts";
import { precisionAndF1 } from "../src/exam/score/statistics/precision.ts";
import { betaBinomial, binomial, sumOf } from "./numbers-distributions.ts";

export const sizes = [3, 5, 10, 30];
export const rates = [0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.97];
export const runCounts = [1, 3, 5];
/** Every question hits at the same rate; or each at one of its own, with the correlation of its runs. */
const worlds = { alike: 0, different: 0.3 };

export interface CoverageCell {
  rate: "score" | "recall" | "precision" | "f1";
  world: keyof typeof worlds;
  n: number;
  runs: number;
  /** The mean rate of the questions; of precision and F1, of positives and of negatives. */
  p: number | [number, number];
  coverage: number;
}

type Interval = (hits: number, n: number) => { low: number; high: number };

/** How often the intervals hold the truth: exact sums over everything that can be measured. False positives are the mirror image of recall. */
export function* coverageCells(interval: Interval = (hits, n) => midP(hits, n)!): Generator<CoverageCell> {
  for (const world of Object.keys(worlds) as (keyof typeof worlds)[]) {
    for (const n of sizes) {
      for (const runs of runCounts) {
        for (const p of rates)
          yield { rate: "score", world, n, runs, p, coverage: ofScore(n, runs, p, worlds[world], interval) };
        for (const p of rates)
          yield { rate: "recall", world, n, runs, p, coverage: ofRecall(n, runs, p, worlds[world], interval) };
        yield* ofBoth(n, runs, world, interval);
      }
    }
  }
}

/** Early stop leaves the first half of the runs whole, and rates are made of those. */
function uncut(runs: number): number {
  return Math.ceil(runs / 2);
}

function hitsOfOne(runs: number, p: number, correlation: number): number[] {
  return correlation === 0 ? binomial(runs, p) : betaBinomial(runs, p, correlation);
}

function ofScore(n: number, runs: number, p: number, correlation: number, interval: Interval): number {
  const passes = hitsOfOne(runs, p, correlation).reduce(
    (total, chance, hits) => total + (hits * 2 >= runs ? chance : 0),
    0,
  );
  return held(binomial(n, passes), passes, (hits) => interval(hits, n));
}

function ofRecall(n: number, runs: number, p: number, correlation: number, interval: Interval): number {
  const counted = uncut(runs);
  return held(sumOf(n, hitsOfOne(counted, p, correlation)), p, (hits) => interval(hits / counted, n));
}

function held(
  chances: number[],
  truth: number,
  interval: (hits: number) => { low: number; high: number } | null,
): number {
  let inside = 0;
  let all = 0;
  for (const [hits, chance] of chances.entries()) {
    const found = interval(hits);
    if (found === null) continue;
    all += chance;
    if (found.low <= truth + 1e-9 && truth <= found.high + 1e-9) inside += chance;
  }
  return inside / all;
}

/** As many positives as negatives. Where nothing fired there is no precision, and nothing is claimed. */
function* ofBoth(n: number, runs: number, world: keyof typeof worlds, interval: Interval): Generator<CoverageCell> {
  const counted = uncut(runs);
  const most = n * counted;
  const side = (hits: number) => ({ hits: hits / counted, n, interval: interval(hits / counted, n) });
  const sides = Array.from({ length: most + 1 }, (_, hits) => side(hits));
  const estimates = sides.map((positives) => sides.map((negatives) => precisionAndF1(positives, negatives)));
  const chances = new Map(rates.map((p) => [p, sumOf(n, hitsOfOne(counted, p, worlds[world]))]));
  for (const recall of rates) {
    for (const fpr of rates) {
      const truth = { precision: recall / (recall + fpr), f1: (2 * recall) / (recall + fpr + 1) };
      for (const rate of ["precision", "f1"] as const) {
        let inside = 0;
        let all = 0;
        for (const [hits, chance] of chances.get(recall)!.entries()) {
          for (const [misfires, other] of chances.get(fpr)!.entries()) {
            const found = estimates[hits]![misfires]![rate];
            if (found === null) continue;
            all += chance * other;
            if (found.low <= truth[rate] + 1e-9 && truth[rate] <= found.high + 1e-9) inside += chance * other;
          }
        }
        yield { rate, world, n, runs, p: [recall, fpr], coverage: inside / all };
      }
    }
  }
}
