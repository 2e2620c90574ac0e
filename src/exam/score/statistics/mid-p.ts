import type { Interval } from "../../../model/index.ts";
import { betaCdf } from "./special.ts";

const alpha = 0.05;
/** A library of thousands of skills has a few dozen different tallies. */
const known = new Map<string, Interval>();

/**
 * The 95 % mid-P interval of a rate (Lancaster 1961; Newcombe 1998, method 6): as Clopper and Pearson's, but what was seen counts half in its own tail.
 * Of yes-or-no questions it holds the true rate at least 92 times in 100, whatever the rate and the number; near 0 and 1 Wilson's holds it 83 times.
 * Successes may be fractional: a question that hit in 2 of 3 runs is two thirds of one, and since such a mean varies less, it is then held more often.
 */
export function midP(successes: number, n: number): Interval | null {
  if (n <= 0) return null;
  // Sums of thirds are not quite whole.
  const hits = Math.min(n, Math.max(0, Math.round(successes * 1e9) / 1e9));
  const key = `${hits}/${n}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const interval = {
    low: hits <= 0 ? 0 : whereTail(hits, n, alpha / 2),
    high: hits >= n ? 1 : whereTail(hits, n, 1 - alpha / 2),
  };
  if (known.size >= 10_000) known.clear();
  known.set(key, interval);
  return interval;
}

/** The rate at which more hits than these, and half of as many, have this probability. */
function whereTail(hits: number, n: number, probability: number): number {
  const atLeast = (p: number) => (hits <= 0 ? 1 : betaCdf(p, hits, n - hits + 1));
  const more = (p: number) => (hits >= n ? 0 : betaCdf(p, hits + 1, n - hits));
  let low = 0;
  let high = 1;
  for (let step = 0; step < 45; step++) {
    const middle = (low + high) / 2;
    if ((atLeast(middle) + more(middle)) / 2 < probability) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
