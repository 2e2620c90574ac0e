import type { Interval } from "../../../model/index.ts";
import type { PairedAsk } from "./sign-flip.ts";

const Z = 1.959963984540054;

/**
 * The 95 % interval of a mean difference of pairs, each from −1 to 1, where those of one ask count together: an adjusted Wald interval, which adds one ask of
 * average size either way. For independent pairs of yes and no it is Bonett and Price's (2012), which holds what it promises for few pairs and for
 * differences near ±1, where the plain one has no width. Null without pairs.
 */
export function pairedDifference(asks: readonly PairedAsk[]): Interval | null {
  if (asks.length === 0) return null;
  const pairs = asks.reduce((sum, { n }) => sum + n, 0);
  const size = pairs / asks.length;
  const all = pairs + 2 * size;
  const mean = asks.reduce((sum, { change }) => sum + change, 0) / all;
  const squares = asks.reduce(
    (sum, { n, change }) => sum + (change - mean * n) ** 2,
    size ** 2 * ((1 - mean) ** 2 + (1 + mean) ** 2),
  );
  const half = (Z * Math.sqrt(squares)) / all;
  return { low: Math.max(-1, mean - half), high: Math.min(1, mean + half) };
}
