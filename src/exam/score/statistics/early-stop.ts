import type { Standing } from "../standing.ts";

/** What may still come. */
interface Remaining {
  /** Runs that are planned or under way, and may each still be a hit, a miss or an error. */
  remaining: number;
}

/**
 * Could the remaining runs still change the verdict? Never stops before half of the planned runs are measured: fewer would be
 * inconclusive, and rates are made of the first half.
 */
export function canVerdictChange({ hits, measured, remaining, planned, threshold }: Standing & Remaining): boolean {
  if (remaining <= 0) return false;
  if (measured < Math.ceil(planned / 2)) return true;
  return reaches(hits + remaining, measured + remaining, threshold) !== reaches(hits, measured + remaining, threshold);
}

/** Is hits / n at least the threshold? With room for rounding: 2 of 3 reaches 0.6667's neighbour 2/3. */
export function reaches(hits: number, n: number, threshold: number): boolean {
  return hits >= threshold * n - 1e-9;
}
