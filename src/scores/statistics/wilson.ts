/** The 97.5 % point of the normal distribution. */
const z = 1.959963984540054;

/**
 * Wilson's score interval for a rate, 95 %. Successes may be fractional: a question that hit in 2 of 3 runs is two thirds of one, and
 * since such a mean varies less than yes-or-no answers do, the interval then covers at least as often.
 */
export function wilson(successes: number, n: number): { low: number; high: number } | null {
  if (n <= 0) return null;
  const p = successes / n;
  const centre = p + (z * z) / (2 * n);
  const spread = z * Math.sqrt((p * (1 - p)) / n + (z * z) / (4 * n * n));
  const scale = 1 + (z * z) / n;
  return {
    low: successes <= 0 ? 0 : Math.max(0, (centre - spread) / scale),
    high: successes >= n ? 1 : Math.min(1, (centre + spread) / scale),
  };
}
