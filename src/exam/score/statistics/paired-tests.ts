import type { Interval } from "../../../model/index.ts";
import { betaCdf, normalCdf, type Random, seeded, studentT } from "./distributions.ts";

/** An ask that was put twice: how many questions are on it, and the sum of their changes, each between −1 and 1. */
export interface PairedAsk {
  n: number;
  change: number;
}

export interface PairedDifference extends Interval {
  /** The mean change of a question. */
  value: number;
  /** How often chance alone would change as much, were either direction as likely as the other on every ask. */
  p: number;
}

/** Up to this many asks every choice of them is looked at, beyond that so many random ones. */
const EXACT = 14;
const DRAWS = 10_000;
/** Beyond this many, sums of flipped changes are normal for all that can be drawn. */
const MANY = 300;
const TINY = 1e-9;

/**
 * The paired permutation test on changes, with the ask as its unit: the signs of whole asks are flipped. The 95 % interval has every difference that this test
 * does not reject, so it leaves out 0 exactly when p < 0.05: its ends are among the mean changes of subsets of the asks (Hartigan 1969). null without asks.
 */
export function signFlip(asks: readonly PairedAsk[]): PairedDifference | null {
  if (asks.length === 0) return null;
  if (asks.length > MANY) return normalFlip(asks);
  const { means, of } = subsetMeans(asks);
  const sum = asks.reduce((total, { change }) => total + change, 0);
  const value = sum / asks.reduce((total, { n }) => total + n, 0);
  // Flipping a subset leaves the sum as large exactly when the subset's own sum is not positive. Flipping nothing always does.
  const asMuch = 1 + means.filter((mean) => (value > 0 ? mean <= TINY : mean >= -TINY)).length;
  const p = Math.abs(sum) < TINY ? 1 : Math.min(1, (2 * asMuch) / of);
  const rejected = Math.ceil(0.025 * of - TINY) - 1;
  // `!`: fewer are rejected than there are means.
  const kept =
    rejected < 1 ? { low: -1, high: 1 } : { low: means[rejected - 1]!, high: means[means.length - rejected]! };
  const least = fewChanges(asks);
  const low = Math.min(kept.low, least.low);
  const high = Math.max(kept.high, least.high);
  return leavingOut0({ value, p, low, high });
}

/** However wide, the interval leaves out 0 where the test does. */
function leavingOut0({ value, p, low, high }: PairedDifference): PairedDifference {
  if (p >= 0.05) return { value, p, low, high };
  return { value, p, low: value > 0 ? Math.max(low, TINY) : low, high: value < 0 ? Math.min(high, -TINY) : high };
}

/** What the test comes to with very many asks: the sum of flipped changes has their squares for its variance. */
function normalFlip(asks: readonly PairedAsk[]): PairedDifference {
  const n = asks.reduce((total, one) => total + one.n, 0);
  const sum = asks.reduce((total, { change }) => total + change, 0);
  const value = sum / n;
  const squares = asks.reduce((total, { change }) => total + change ** 2, 0);
  const p = squares < TINY ? 1 : Math.min(1, 2 * normalCdf(-Math.abs(sum) / Math.sqrt(squares)));
  const apart = asks.reduce((total, one) => total + (one.change - value * one.n) ** 2, 0);
  const spread = (1.959963984540054 * Math.sqrt(apart)) / n;
  const least = fewChanges(asks);
  const low = Math.max(-1, Math.min(value - spread, least.low));
  const high = Math.min(1, Math.max(value + spread, least.high));
  return leavingOut0({ value, p, low, high });
}

/** The mean changes of nonempty subsets of the asks, in order; `of` counts the empty one too. Random ones are seeded by the data. */
function subsetMeans(asks: readonly PairedAsk[]): { means: Float64Array; of: number } {
  const all = asks.length <= EXACT;
  const of = all ? 2 ** asks.length : DRAWS + 1;
  const means = new Float64Array(of - 1);
  const random = seeded(asks.map(({ n, change }) => `${n} ${change.toFixed(9)}`).join());
  for (let index = 0; index < means.length; index++) means[index] = subsetMean(asks, all ? index + 1 : random);
  return { means: means.sort(), of };
}

function subsetMean(asks: readonly PairedAsk[], chosen: number | Random): number {
  let n = 0;
  let change = 0;
  while (n === 0) {
    let bits = 0;
    for (let at = 0; at < asks.length; at++) {
      if (at % 32 === 0) bits = typeof chosen === "number" ? chosen : (chosen() * 2 ** 32) | 0;
      if (((bits >> (at % 32)) & 1) === 0) continue;
      // `!`: `at` is below the length.
      n += asks[at]!.n;
      change += asks[at]!.change;
    }
  }
  return change / n;
}

/**
 * Where hardly anything changed, subsets hardly differ, and that is no proof that nothing can change. Agresti and Min (2005) add two pairs, half of one
 * changed for the better and half for the worse: here two asks of average size, with Student's t.
 */
function fewChanges(asks: readonly PairedAsk[]): Interval {
  const n = asks.reduce((total, one) => total + one.n, 0);
  const size = n / asks.length;
  const all = n + 2 * size;
  const centre = asks.reduce((total, { change }) => total + change, 0) / all;
  const squares =
    asks.reduce((total, one) => total + (one.change - centre * one.n) ** 2, 0) + size ** 2 * (1 + 2 * centre ** 2);
  const spread = (studentT(asks.length + 1) * Math.sqrt((squares * (asks.length + 2)) / (asks.length + 1))) / all;
  return { low: Math.max(-1, centre - spread), high: Math.min(1, centre + spread) };
}

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

/** Holm's correction (1979): p-values that can be held against one level together, so that any false alarm among them stays that rare. */
export function holm(ps: readonly number[]): number[] {
  const order = ps.map((p, index) => ({ p, index })).sort((a, b) => a.p - b.p);
  const adjusted = new Array<number>(ps.length);
  let least = 0;
  for (const [rank, { p, index }] of order.entries()) {
    least = Math.min(1, Math.max(least, p * (ps.length - rank)));
    adjusted[index] = least;
  }
  return adjusted;
}
