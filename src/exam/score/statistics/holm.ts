/** Holm's correction (1979): p-values that can be held against one level together, so that any false alarm among them stays that rare. */
export function holm(ps: readonly number[]): number[] {
  const order = ps.map((p, index) => ({ p, index })).sort((a, b) => a.p - b.p);
  const adjusted = new Array<number>(ps.length);
  let least = 0;
  for (const [rank, { p, index }] of order.entries()) {
    least = Math.min(1, Math.max(least, p * (ps.length - rank)));
    adjusted[index] = least;
  }
  return adjusted;
}
