import { logBeta } from "./distributions.ts";

interface Remaining {
  /** Runs planned or under way; each may still be a hit, a miss or an error. */
  remaining: number;
}

/**
 * Whether the remaining runs could change the verdict. True until half of the planned runs are measured: fewer would be
 * inconclusive, and rates use the first half.
 */
export function canVerdictChange({ hits, measured, remaining, planned, threshold }: Standing & Remaining): boolean {
  if (remaining <= 0) return false;
  if (measured < Math.ceil(planned / 2)) return true;
  return reaches(hits + remaining, measured + remaining, threshold) !== reaches(hits, measured + remaining, threshold);
}

export function reaches(hits: number, n: number, threshold: number): boolean {
  return hits >= threshold * n - 1e-9;
}

/**
 * An interval for a rate that holds at all times simultaneously, so one may look after each trial and stop when it is
 * narrow enough. The mixture of binomial likelihood ratios over a uniform rate is a martingale under the true rate, and
 * by Ville's inequality it ever exceeds 1/alpha with probability at most alpha (Robbins 1970; Howard, Ramdas, McAuliffe
 * and Sekhon 2021).
 */
export function confidenceSequence(hits: number, n: number, alpha: number): { low: number; high: number } {
  if (n === 0) return { low: 0, high: 1 };
  const limit = -Math.log(alpha);
  const inside = (p: number) => logRatio(hits, n, p) < limit;
  const middle = hits / n;
  return { low: hits === 0 ? 0 : boundary(inside, middle, 0), high: hits === n ? 1 : boundary(inside, middle, 1) };
}

interface ClearRule {
  threshold: number;
  alpha: number;
}

/**
 * The side of the threshold on which the rate certainly lies (at level 1 − alpha, at any time); null if not yet known.
 */
export function cleared(hits: number, n: number, { threshold, alpha }: ClearRule): "above" | "below" | null {
  if (n === 0 || logRatio(hits, n, threshold) < -Math.log(alpha)) return null;
  return hits / n > threshold ? "above" : "below";
}

/** The fewest measured trials after which a question can be cleared. These are never cut, so their rate is unbiased. */
export function earliestClear(threshold: number, alpha: number): number {
  const rule = { threshold, alpha };
  for (let n = 1; n < 10_000; n++) {
    if (cleared(n, n, rule) !== null || cleared(0, n, rule) !== null) return n;
  }
  return 10_000;
}

function logRatio(hits: number, n: number, p: number): number {
  const misses = n - hits;
  if ((p <= 0 && hits > 0) || (p >= 1 && misses > 0)) return Number.POSITIVE_INFINITY;
  const likelihood = (hits === 0 ? 0 : hits * Math.log(p)) + (misses === 0 ? 0 : misses * Math.log1p(-p));
  return logBeta(hits + 1, misses + 1) - likelihood;
}

function boundary(inside: (p: number) => boolean, from: number, to: number): number {
  let within = from;
  let beyond = to;
  for (let step = 0; step < 60; step++) {
    const middle = (within + beyond) / 2;
    if (inside(middle)) within = middle;
    else beyond = middle;
  }
  return beyond;
}

export interface Standing {
  hits: number;
  measured: number;
  planned: number;
  threshold: number;
}

export interface StopRule {
  earlyStop: boolean;
  /** If set, runs are added until the question's confidence sequence at this level clears its threshold. */
  confidence?: number;
}

/**
 * How many further runs of an ask are needed whatever their outcomes; 0 if no verdict on it can change any more. They
 * may run in parallel, since none of them can turn out to be superfluous. `done(n)` is how many of the first n runs
 * have been made: a question counts only the runs it plans itself.
 */
export function runsNeeded(standings: readonly Standing[], done: (planned: number) => number, rule: StopRule): number {
  let needed = 0;
  for (const standing of standings) {
    const remaining = standing.planned - done(standing.planned);
    if (remaining > needed) needed = Math.max(needed, Math.min(remaining, neededBy(standing, remaining, rule)));
  }
  return needed;
}

function neededBy(standing: Standing, remaining: number, { earlyStop, confidence }: StopRule): number {
  if (confidence !== undefined) return untilCleared(standing, remaining, 1 - confidence);
  if (!earlyStop) return remaining;
  const half = Math.ceil(standing.planned / 2);
  if (standing.measured < half) return half - standing.measured;
  return untilDecided(standing, remaining);
}

function untilDecided({ hits, measured, planned, threshold }: Standing, remaining: number): number {
  if (!canVerdictChange({ hits, measured, remaining, planned, threshold })) return 0;
  for (let runs = 1; runs < remaining; runs++) {
    const after = { measured: measured + runs, remaining: remaining - runs, planned, threshold };
    if (!canVerdictChange({ ...after, hits }) || !canVerdictChange({ ...after, hits: hits + runs })) return runs;
  }
  return remaining;
}

function untilCleared({ hits, measured, threshold }: Standing, remaining: number, alpha: number): number {
  const rule = { threshold, alpha };
  if (cleared(hits, measured, rule) !== null) return 0;
  const least = earliestClear(threshold, alpha) - measured;
  if (least > 1) return least;
  for (let runs = 1; runs < remaining; runs++) {
    const settled = cleared(hits, measured + runs, rule) ?? cleared(hits + runs, measured + runs, rule);
    if (settled !== null) return runs;
  }
  return remaining;
}
