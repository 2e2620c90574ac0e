import type { Interval } from "../../../model/index.ts";
import { betaCdf, studentT } from "./distributions.ts";

/**
 * Number and hits (possibly fractional) of the questions on one ask. One trial answers them all, so they tend to be
 * right or wrong together.
 */
export interface Cluster {
  n: number;
  hits: number;
}

export type Clusters = ReadonlyMap<string, Cluster>;

export function clustersOf(questions: Iterable<{ ask: string; hits: number }>): Map<string, Cluster> {
  const clusters = new Map<string, Cluster>();
  for (const { ask, hits } of questions) addTo(clusters, ask, hits);
  return clusters;
}

export function addTo(clusters: Map<string, Cluster>, ask: string, hits: number): void {
  const known = clusters.get(ask);
  if (known === undefined) clusters.set(ask, { n: 1, hits });
  else {
    known.n++;
    known.hits += hits;
  }
}

export function together(clusters: Clusters): Cluster {
  const all = { n: 0, hits: 0 };
  for (const { n, hits } of clusters.values()) {
    all.n += n;
    all.hits += hits;
  }
  return all;
}

export function clusteredInterval(clusters: Clusters): Interval | null {
  const { n, hits } = together(clusters);
  if (n === 0) return null;
  const effective = effectiveN(clusters);
  return midP((hits / n) * effective, effective);
}

/**
 * How many independent questions would carry as much information. It is n if no ask has two questions, and never below
 * the value for asks whose questions always agree. In between it follows Korn and Graubard (1998): the variance between
 * asks, and Student's t for the number of asks it is estimated from.
 */
export function effectiveN(clusters: Clusters): number {
  const asks = clusters.size;
  const { n, hits } = together(clusters);
  if (asks === n) return n;
  const alike = n ** 2 / sum(clusters, (one) => one.n ** 2);
  const rate = hits / n;
  // If all hit or none did, the data cannot show how strongly questions correlate.
  if (asks < 2 || rate <= 0 || rate >= 1) return alike;
  const between = sum(clusters, (one) => (one.hits - rate * one.n) ** 2) * (asks / (asks - 1));
  const inflation = (weightOf(asks, rate) * between) / (rate * (1 - rate) * n ** 2) + 1 / alike;
  const seen = (weightOf(asks, rate) + 1) / inflation;
  return Math.min(n, Math.max(alike, seen * (studentT(n - 1) / studentT(asks - 1)) ** 2));
}

/**
 * The negative correlation, from −1 to 0, of two sets of questions that share asks. A prompt one skill takes from
 * another is a miss of the one and a misfire of the other.
 */
export function oppositionOf(some: Clusters, others: Clusters): number {
  const shared = sharedAsks(some, others);
  if (shared === 0) return 0;
  const rates = [some, others].map((clusters) => {
    const { n, hits } = together(clusters);
    return hits / n;
  }) as [number, number];
  const size = ({ n }: Cluster) => n;
  const most = cosine(some, others, [size, size]);
  const seen = cosine(some, others, [({ n, hits }) => hits - rates[0] * n, ({ n, hits }) => hits - rates[1] * n]);
  const weight = Math.min(...rates.map((rate) => weightOf(shared, rate)));
  return Math.min(0, Math.max(-most, (weight * seen - most) / (weight + 1)));
}

export function sharedAsks(some: Clusters, others: Clusters): number {
  let shared = 0;
  for (const ask of some.keys()) if (others.has(ask)) shared++;
  return shared;
}

/** With few outcomes of the rarer kind the data show little. The worst case gets the weight of one such ask. */
function weightOf(asks: number, rate: number): number {
  return 2 * asks * Math.min(rate, 1 - rate);
}

function cosine(
  some: Clusters,
  others: Clusters,
  values: [(one: Cluster) => number, (one: Cluster) => number],
): number {
  const [of, ofOther] = values;
  let product = 0;
  for (const [ask, one] of some) {
    const other = others.get(ask);
    if (other !== undefined) product += of(one) * ofOther(other);
  }
  const length = Math.sqrt(sum(some, (one) => of(one) ** 2) * sum(others, (one) => ofOther(one) ** 2));
  return length < 1e-12 ? 0 : product / length;
}

function sum(clusters: Clusters, value: (cluster: Cluster) => number): number {
  let total = 0;
  for (const cluster of clusters.values()) total += value(cluster);
  return total;
}

const alpha = 0.05;
const known = new Map<string, Interval>();

/**
 * The 95 % mid-P interval of a rate (Lancaster 1961; Newcombe 1998, method 6): like Clopper and Pearson's, but the
 * observed count has half its weight in each tail. For yes-or-no questions its coverage is at least 92 %, whatever the
 * rate and n; Wilson's falls to 83 % near 0 and 1. Successes may be fractional (a question that hit in 2 of 3 runs is
 * two thirds of one); such means vary less, so coverage is higher.
 */
export function midP(successes: number, n: number): Interval | null {
  if (n <= 0) return null;
  // Sums of thirds are not exactly whole.
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

/** The rate p for which P(more hits) + ½ P(as many hits) equals `probability`. */
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

/**
 * The 95 % interval of the difference between two independently measured rates, by MOVER (Newcombe 1998, method 10,
 * with mid-P instead of Wilson intervals). With two or more runs on each side its coverage is at least 92 %. Null if
 * either was not measured.
 */
export function rateDifference(some: Clusters, others: Clusters): Interval | null {
  const [a, b] = [clusteredInterval(some), clusteredInterval(others)];
  if (a === null || b === null) return null;
  const [one, other] = [some, others].map((clusters) => {
    const { n, hits } = together(clusters);
    return hits / n;
  }) as [number, number];
  return {
    low: Math.max(-1, one - other - Math.hypot(one - a.low, b.high - other)),
    high: Math.min(1, one - other + Math.hypot(a.high - one, other - b.low)),
  };
}
