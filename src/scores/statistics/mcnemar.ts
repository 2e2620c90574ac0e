import { binomialLowerTail } from "./binomial.ts";

/**
 * McNemar's exact test, two-sided: how often chance alone would part the pairs that changed at least as unevenly as this, were either way
 * as likely as the other. 1 where nothing changed.
 */
export function mcnemar(oneWay: number, otherWay: number): number {
  const changed = oneWay + otherWay;
  return changed === 0 ? 1 : Math.min(1, 2 * binomialLowerTail(Math.min(oneWay, otherWay), changed, 0.5));
}
