import { drawBeta, seeded } from "./random.ts";

/** The positives and negatives of a suite, and how many (fractional) hits each have. */
export interface Tally {
  positiveHits: number;
  positives: number;
  negativeHits: number;
  negatives: number;
}

export interface Estimate {
  value: number;
  low: number;
  high: number;
}

const draws = 2000;

/**
 * Precision and F1 at the suite's own balance of positives and negatives: of the questions on which the skill fired, the share that wanted it.
 * Intervals are the middle 95 % of seeded draws of recall and false-positive rate from their Jeffreys posteriors, Beta(k + ½, n − k + ½).
 * null without positives, without negatives, or when nothing fired at all: there is nothing to be precise about.
 */
export function precisionAndF1(tally: Tally, seed: string): { precision: Estimate | null; f1: Estimate | null } {
  const { positiveHits, positives, negativeHits, negatives } = tally;
  if (positives === 0 || negatives === 0) return { precision: null, f1: null };
  const random = seeded(seed);
  const precisions = new Float64Array(draws);
  const f1s = new Float64Array(draws);
  for (let i = 0; i < draws; i++) {
    const hits = positives * drawBeta(positiveHits + 0.5, positives - positiveHits + 0.5, random);
    const misfires = negatives * drawBeta(negativeHits + 0.5, negatives - negativeHits + 0.5, random);
    precisions[i] = hits / (hits + misfires);
    f1s[i] = (2 * hits) / (hits + misfires + positives);
  }
  const fired = positiveHits + negativeHits;
  return {
    precision: fired === 0 ? null : interval(positiveHits / fired, precisions),
    f1: interval((2 * positiveHits) / (fired + positives), f1s),
  };
}

/** A posterior without mass at 0 and 1 would leave them out even where the estimate is exactly there (Brown, Cai and DasGupta 2001, §4.1). */
function interval(value: number, sample: Float64Array): Estimate {
  sample.sort();
  const low = sample[Math.floor(0.025 * sample.length)] ?? value;
  const high = sample[Math.ceil(0.975 * sample.length) - 1] ?? value;
  return { value, low: value === 0 ? 0 : Math.min(low, value), high: value === 1 ? 1 : Math.max(high, value) };
}
