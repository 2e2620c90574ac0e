import { logBeta, logGamma } from "../src/exam/score/statistics/distributions.ts";

/** Chances of 0 … n hits. */
export function binomial(n: number, p: number): number[] {
  if (p <= 0 || p >= 1) return Array.from({ length: n + 1 }, (_, k) => Number(k === (p <= 0 ? 0 : n)));
  return Array.from({ length: n + 1 }, (_, k) =>
    Math.exp(logChoose(n, k) + k * Math.log(p) + (n - k) * Math.log1p(-p)),
  );
}

/** The same where the rate is drawn from a beta distribution with this mean; `correlation` is that of two of the n. */
export function betaBinomial(n: number, mean: number, correlation: number): number[] {
  const size = 1 / correlation - 1;
  const [a, b] = [mean * size, (1 - mean) * size];
  return Array.from({ length: n + 1 }, (_, k) => Math.exp(logChoose(n, k) + logBeta(k + a, n - k + b) - logBeta(a, b)));
}

/** The distribution of the sum of n such variables. */
export function sumOf(n: number, one: number[]): number[] {
  let total = [1];
  for (let i = 0; i < n; i++) {
    const next = new Array<number>(total.length + one.length - 1).fill(0);
    for (const [a, chance] of total.entries()) for (const [b, other] of one.entries()) next[a + b]! += chance * other;
    total = next;
  }
  return total;
}

type Random = () => number;

/** One draw from Beta(a, b), as a ratio of gammas. */
export function drawBeta(a: number, b: number, random: Random): number {
  const x = drawGamma(a, random);
  return x / (x + drawGamma(b, random));
}

/** The rate of an ask whose questions have this mean and this correlation. */
export function drawRate(mean: number, correlation: number, random: Random): number {
  if (correlation === 0) return mean;
  if (correlation === 1) return Number(random() < mean);
  const size = 1 / correlation - 1;
  return drawBeta(mean * size, (1 - mean) * size, random);
}

/** Marsaglia and Tsang 2000; shapes below 1 by their boost. */
function drawGamma(shape: number, random: Random): number {
  if (shape < 1) return drawGamma(shape + 1, random) * (1 - random()) ** (1 / shape);
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    // Box and Muller.
    const x = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    const w = 1 + c * x;
    if (w <= 0) continue;
    const v = w * w * w;
    if (Math.log(1 - random()) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v;
  }
}

function logChoose(n: number, k: number): number {
  return logGamma(n + 1) - logGamma(k + 1) - logGamma(n - k + 1);
}
