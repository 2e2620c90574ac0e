import { betaCdf } from "./special.ts";

/**
 * McNemar's exact test (1947): how often chance alone would split so many changes as unevenly, were either direction as likely.
 * 1 where nothing changed.
 */
export function mcnemar(better: number, worse: number): number {
  const n = better + worse;
  const fewer = Math.min(better, worse);
  if (n === 0 || fewer * 2 === n) return 1;
  // P(X ≤ k) of a binomial is an incomplete beta function.
  return Math.min(1, 2 * betaCdf(0.5, n - fewer, fewer + 1));
}
