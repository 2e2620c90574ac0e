import type { Interval } from "../../../model/index.ts";

export interface Proportion {
  hits: number;
  n: number;
  interval: Interval;
}

export interface PointEstimate extends Interval {
  value: number;
}

/**
 * Precision and F1 at the suite's own balance of positives and negatives. Null without positives or without negatives;
 * precision is also null if nothing fired.
 * Intervals follow from those of recall and of the false-positive rate by MOVER (Zou and Donner 2008; as a ratio:
 * Donner and Zou 2012): a precision of t is inside while 0 is in the interval of (1 − t)·hits − t·misfires.
 * `correlation` is that of the two rates if positives and negatives share asks.
 */
export function precisionAndF1(
  positives: Proportion,
  negatives: Proportion,
  correlation = 0,
): { precision: PointEstimate | null; f1: PointEstimate | null } {
  if (positives.n === 0 || negatives.n === 0) return { precision: null, f1: null };
  const fired = positives.hits + negatives.hits;
  const bounds = (value: number, contrast: Contrast) =>
    estimate(value, contrast, { positives, negatives, correlation });
  return {
    precision: fired === 0 ? null : bounds(positives.hits / fired, (t) => ({ hits: 1 - t, misfires: t, constant: 0 })),
    f1: bounds((2 * positives.hits) / (fired + positives.n), (t) => ({
      hits: 2 - t,
      misfires: t,
      constant: t * positives.n,
    })),
  };
}

/** hits·h − misfires·m − constant is 0 where the value is t, and falls as t grows. */
type Contrast = (t: number) => { hits: number; misfires: number; constant: number };

interface SuiteRates {
  positives: Proportion;
  negatives: Proportion;
  correlation: number;
}

function estimate(value: number, contrast: Contrast, { positives, negatives, correlation }: SuiteRates): PointEstimate {
  // Negative while t is inside the interval.
  const beyond = (t: number, side: "low" | "high") => {
    const { hits, misfires, constant } = contrast(t);
    const centre = hits * positives.hits - misfires * negatives.hits - constant;
    const one = hits * distance(positives, side);
    const other = misfires * distance(negatives, side === "low" ? "high" : "low");
    const spread = Math.sqrt(Math.max(0, one ** 2 + other ** 2 - 2 * correlation * one * other));
    return (side === "low" ? centre : -centre) - spread;
  };
  return {
    value,
    low: value <= 0 ? 0 : edge((t) => beyond(t, "low") > 0, 0, value),
    high: value >= 1 ? 1 : edge((t) => beyond(t, "high") > 0, 1, value),
  };
}

function distance({ hits, n, interval }: Proportion, end: "low" | "high"): number {
  return Math.max(0, end === "low" ? hits - n * interval.low : n * interval.high - hits);
}

function edge(isBeyond: (t: number) => boolean, from: number, to: number): number {
  let outside = from;
  let inside = to;
  for (let step = 0; step < 50; step++) {
    const middle = (outside + inside) / 2;
    if (isBeyond(middle)) outside = middle;
    else inside = middle;
  }
  return inside;
}
