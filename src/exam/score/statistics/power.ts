import { betaCdf, logGamma, normalCdf, seeded } from "./distributions.ts";

export interface Design {
  asks: readonly number[];
  /** Number of runs per question that the test uses, in each of the two exams. */
  runs: { before: number; now: number };
  rate: number;
  /** How much questions differ: the correlation of two runs of one question. 0 means they are all alike. */
  spread: number;
}

const SIMULATIONS = 4_000;
/** Above this many asks the normal approximation is good enough. */
const FEW = 120;
/** Most steps for an exact tail. Beyond that the normal approximation is good enough. */
const MOST_STEPS = 20_000;

/**
 * The power of the paired permutation test (`signFlip`) to detect a true drop. Every question's rate falls by the same
 * proportion, and questions on one ask change together. With few asks the test is simulated, seeded by the design; with
 * many the normal distribution is used.
 * If `often` is given, the simulation stops as soon as the power is clearly above or below it.
 */
export function power(design: Design, drop: number, often?: number): number {
  if (design.asks.length === 0 || drop <= 0) return 0;
  const changes = changesOf(design, Math.min(drop, design.rate));
  return design.asks.length > FEW ? normalPower(design.asks, changes) : simulatedPower(design.asks, changes, often);
}

/** The smallest drop, in whole percentage points, with power `often`; null if not even a drop to 0 has it. */
export function smallestDrop(design: Design, often = 0.8): number | null {
  const most = Math.floor(design.rate * 100 + 1e-9);
  return firstOf(1, most, (points) => power(design, points / 100, often) >= often);
}

/** The fewest runs on each side that give power `often` for this drop; null if `most` do not. */
export function runsToSee(design: Design, drop: number, { often = 0.8, most = 100 } = {}): number | null {
  return firstOf(1, most, (runs) => power({ ...design, runs: { before: runs, now: runs } }, drop, often) >= often);
}

/** The smallest number for which `holds` is true. `holds` must be monotonic. */
function firstOf(least: number, most: number, holds: (value: number) => boolean): number | null {
  // Large values are expensive to test and the answer is usually small, so double first.
  let low = least;
  let high = least;
  while (high < most && !holds(high)) {
    low = high + 1;
    high = Math.min(most, high * 2);
  }
  if (low > most || !holds(high)) return null;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return high;
}

interface Changes {
  steps: number;
  shares: Float64Array;
}

const LEVELS = 48;

function changesOf({ runs: { before, now }, rate, spread }: Design, drop: number): Changes {
  const steps = (before * now) / gcd(before, now);
  const shares = new Float64Array(2 * steps + 1);
  const rates = ratesOf(rate, spread);
  for (const one of rates) {
    const then = binomial(before, one);
    const later = binomial(now, one * (1 - drop / rate));
    // `!`: each hit count has a probability, and each difference from -steps to steps an element.
    for (let a = 0; a <= before; a++)
      for (let b = 0; b <= now; b++)
        shares[steps + (b * steps) / now - (a * steps) / before]! += (then[a]! * later[b]!) / rates.length;
  }
  return { steps, shares };
}

function ratesOf(rate: number, spread: number): number[] {
  if (spread <= 0.001 || rate <= 0 || rate >= 1) return [rate];
  const size = 1 / spread - 1;
  const [a, b] = [rate * size, (1 - rate) * size];
  const drawn = Array.from({ length: LEVELS }, (_, index) => quantile((index + 0.5) / LEVELS, a, b));
  // The mean of these quantiles differs slightly from the rate if the distribution is skewed.
  const mean = drawn.reduce((sum, one) => sum + one, 0) / LEVELS;
  return drawn.map((one) => Math.min(1, (one * rate) / mean));
}

function quantile(share: number, a: number, b: number): number {
  let [low, high] = [0, 1];
  for (let step = 0; step < 40; step++) {
    const middle = (low + high) / 2;
    if (betaCdf(middle, a, b) < share) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

function binomial(n: number, p: number): number[] {
  if (p <= 0) return Array.from({ length: n + 1 }, (_, k) => Number(k === 0));
  if (p >= 1) return Array.from({ length: n + 1 }, (_, k) => Number(k === n));
  return Array.from({ length: n + 1 }, (_, k) =>
    Math.exp(logGamma(n + 1) - logGamma(k + 1) - logGamma(n - k + 1) + k * Math.log(p) + (n - k) * Math.log1p(-p)),
  );
}

function normalPower(asks: readonly number[], { steps, shares }: Changes): number {
  let mean = 0;
  let square = 0;
  for (const [index, share] of shares.entries()) {
    const change = (index - steps) / steps;
    mean += share * change;
    square += share * change * change;
  }
  const questions = asks.reduce((sum, n) => sum + n, 0);
  const squares = asks.reduce((sum, n) => sum + n * n, 0);
  // Flipping a sign changes the sum in steps of two, and ties count in full.
  const half = asks.reduce(gcd) / steps;
  const critical = 1.959963984540054 * Math.sqrt(squares * square) + half;
  const deviation = Math.sqrt(Math.max(1e-12, squares * (square - mean * mean)));
  return normalCdf((-mean * questions - critical) / deviation);
}

function simulatedPower(asks: readonly number[], changes: Changes, often: number | undefined): number {
  const random = seeded(
    `${asks.join()} ${changes.steps} ${changes.shares.map((share) => Math.round(share * 1e6)).join()}`,
  );
  const table = cumulated(changes.shares);
  const sizes = new Int32Array(asks.length);
  let seen = 0;
  for (let round = 0; round < SIMULATIONS; round++) {
    let sum = 0;
    for (const [at, n] of asks.entries()) {
      const change = n * (indexOf(table, random()) - changes.steps);
      sizes[at] = Math.abs(change);
      sum += change;
    }
    if (sum < 0 && tail(sizes, -sum) < 0.025) seen++;
    const done = round + 1;
    if (
      often !== undefined &&
      done % 100 === 0 &&
      Math.abs(seen / done - often) > 4 * Math.sqrt((often * (1 - often)) / done)
    )
      return seen / done;
  }
  return seen / SIMULATIONS;
}

/** The probability that changes of these sizes sum to at least `sum` if each sign is equally likely. */
function tail(sizes: Int32Array, sum: number): number {
  let total = 0;
  let squares = 0;
  let changed = 0;
  for (const size of sizes) {
    total += size;
    squares += size * size;
    changed += Number(size > 0);
  }
  if (changed * total > MOST_STEPS) return 1 - normalCdf((sum - 1) / Math.sqrt(squares));
  const shares = new Float64Array(total + 1);
  shares[0] = 1;
  let reach = 0;
  for (const size of sizes) {
    if (size === 0) continue;
    // `!`: no partial sum exceeds the total.
    for (let at = reach + size; at >= 0; at--)
      shares[at] = ((at <= reach ? shares[at]! : 0) + (at >= size ? shares[at - size]! : 0)) / 2;
    reach += size;
  }
  // If a subset with sum t keeps its sign and the rest is flipped, the sum is 2t − total.
  let share = 0;
  for (let at = Math.ceil((total + sum) / 2); at <= total; at++) share += shares[at]!;
  return share;
}

function cumulated(shares: Float64Array): Float64Array {
  let sum = 0;
  return shares.map((share) => (sum += share));
}

function indexOf(table: Float64Array, value: number): number {
  let [low, high] = [0, table.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (table[middle]! > value) high = middle;
    else low = middle + 1;
  }
  return low;
}

function gcd(a: number, b: number): number {
  return b === 0 ? a : gcd(b, a % b);
}
