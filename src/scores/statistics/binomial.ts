import { betaCdf } from "./special.ts";

/** P(X ≥ k) for X ~ Binomial(n, p). */
export function binomialUpperTail(k: number, n: number, p: number): number {
  if (k <= 0) return 1;
  if (k > n) return 0;
  return betaCdf(p, k, n - k + 1);
}

/** P(X ≤ k) for X ~ Binomial(n, p). */
export function binomialLowerTail(k: number, n: number, p: number): number {
  return binomialUpperTail(n - k, n, 1 - p);
}

/** The x with P(X ≤ x) = q for X ~ Beta(a, b). */
export function betaQuantile(q: number, a: number, b: number): number {
  let low = 0;
  let high = 1;
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (betaCdf(middle, a, b) < q) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
