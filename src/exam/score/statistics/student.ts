import { betaCdf } from "./special.ts";

const known = new Map<number, number>();

/** The 97.5 % point of Student's t with so many degrees of freedom. */
export function studentT(freedom: number): number {
  const found = known.get(freedom);
  if (found !== undefined) return found;
  // P(|T| > t) = I(freedom / (freedom + t²); freedom / 2, ½)
  let low = 0;
  let high = 1;
  for (let step = 0; step < 60; step++) {
    const x = (low + high) / 2;
    if (betaCdf(x, freedom / 2, 0.5) < 0.05) low = x;
    else high = x;
  }
  const t = Math.sqrt(freedom * (2 / (low + high) - 1));
  if (known.size >= 10_000) known.clear();
  known.set(freedom, t);
  return t;
}
