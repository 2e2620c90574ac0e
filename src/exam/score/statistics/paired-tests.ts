import type { Interval } from "../../../model/index.ts";
import { betaCdf, normalCdf, type Random, seeded, studentT } from "./distributions.ts";

/** An ask measured twice: its number of questions, and the sum of their changes, each between −1 and 1. */
export interface PairedAsk {
  n: number;
  change: number;
}

export interface PairedDifference extends Interval {
  value: number;
  /** The probability of a change at least this large if both directions were equally likely on every ask. */
  p: number;
}

/** All subsets are used up to this many asks; beyond that, this many random ones. */
const EXACT = 14;
const DRAWS = 10_000;
/** Above this many asks the normal approximation is as good as random draws. */
const MANY = 300;
const TINY = 1e-9;

/**
 * The paired permutation test, flipping the signs of whole asks. The 95 % interval contains every difference this test
 * does not reject, so it excludes 0 exactly if p < 0.05; its ends are mean changes of subsets of the asks (Hartigan
 * 1969). Null without asks.
 */
export function signFlip(asks: readonly PairedAsk[]): PairedDifference | null {
  if (asks.length === 0) return null;
  if (asks.length > MANY) return normalFlip(asks);
  const { means, of } = subsetMeans(asks);
  const sum = asks.reduce((total, { change }) => total + change, 0);
  const value = sum / asks.reduce((total, { n }) => total + n, 0);
  // Flipping a subset leaves the sum as large exactly if the subset's own sum is not positive. The empty subset always
  // does, hence 1.
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

function leavingOut0({ value, p, low, high }: PairedDifference): PairedDifference {
  if (p >= 0.05) return { value, p, low, high };
  return { value, p, low: value > 0 ? Math.max(low, TINY) : low, high: value < 0 ? Math.min(high, -TINY) : high };
}

/** The limit for very many asks: the variance of the flipped sum is the sum of the squared changes. */
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

/**
 * Sorted mean changes of nonempty subsets of the asks; `of` also counts the empty one. Random subsets are seeded by the
 * data.
 */
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
 * If hardly anything changed, subsets hardly differ, which does not prove that nothing can change. Like Agresti and Min
 * (2005), this adds one half-pair in each direction and a tie: here two asks of average size, with Student's t.
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
 * The 95 % interval of the mean difference of pairs, each from −1 to 1, clustered by ask. An adjusted Wald interval
 * that adds one ask of average size in each direction. For independent yes-or-no pairs it is Bonett and Price's (2012),
 * which keeps its coverage with few pairs and near ±1, where the plain Wald interval has no width. Null without pairs.
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
 * McNemar's exact test (1947), two-sided: the probability of an at least equally uneven split if both directions were
 * equally likely. 1 if nothing changed.
 */
export function mcnemar(better: number, worse: number): number {
  const n = better + worse;
  const fewer = Math.min(better, worse);
  if (n === 0 || fewer * 2 === n) return 1;
  // P(X ≤ k) of a binomial is an incomplete beta function.
  return Math.min(1, 2 * betaCdf(0.5, n - fewer, fewer + 1));
}

/** Holm's correction (1979) of p-values, which bounds the probability of any false alarm among them. */
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
