import type { Interval } from "./mid-p.ts";

const Z = 1.959964;

/**
 * The 95 % interval of a mean difference of pairs, each from −1 to 1: an adjusted Wald interval, which adds one pair either way. For pairs
 * of yes and no it is Bonett and Price's (2012), which holds what it promises for few pairs and for differences near ±1, where the plain
 * one has no width. Null without pairs.
 */
export function pairedDifference(differences: readonly number[]): Interval | null {
  if (differences.length === 0) return null;
  const n = differences.length + 2;
  const mean = differences.reduce((sum, one) => sum + one, 0) / n;
  const squares = differences.reduce((sum, one) => sum + one * one, 2) / n;
  const half = Z * Math.sqrt(Math.max(0, squares - mean * mean) / n);
  return { low: Math.max(-1, mean - half), high: Math.min(1, mean + half) };
}
