/**
 * Puts rivals side by side: the strongest pair first, then pair by pair, joining the rows that their skills are in.
 * What has no rival comes last, in its own order. The same input gives the same order.
 */
export function rivalOrder(
  skills: readonly string[],
  pairs: readonly { skills: readonly [string, string]; weight: number }[],
): string[] {
  const rowOf = new Map<string, string[]>();
  const known = new Set(skills);
  const strongest = [...added(pairs)].sort((a, b) => b.weight - a.weight || (a.key < b.key ? -1 : 1));
  const rows = new Set<string[]>();
  for (const {
    skills: [a, b],
  } of strongest) {
    if (a === b || !known.has(a) || !known.has(b)) continue;
    const [left, right] = [rowOf.get(a) ?? [a], rowOf.get(b) ?? [b]];
    if (left === right) continue;
    const row = [...facing(left, a, "end"), ...facing(right, b, "start")];
    rows.delete(left);
    rows.delete(right);
    rows.add(row);
    for (const skill of row) rowOf.set(skill, row);
  }
  const joined = [...rows].sort((a, b) => b.length - a.length || (a.join() < b.join() ? -1 : 1));
  return [...joined.flat(), ...skills.filter((skill) => !rowOf.has(skill))];
}

/** Both directions of a pair together. */
function added(pairs: readonly { skills: readonly [string, string]; weight: number }[]) {
  const sums = new Map<string, { key: string; skills: readonly [string, string]; weight: number }>();
  for (const {
    skills: [a, b],
    weight,
  } of pairs) {
    const [first, second] = a < b ? [a, b] : [b, a];
    const key = `${first}\0${second}`;
    const sum = sums.get(key);
    if (sum === undefined) sums.set(key, { key, skills: [first, second], weight });
    else sum.weight += weight;
  }
  return sums.values();
}

/** The row, turned so that the skill is as near to the given side as it can be. */
function facing(row: readonly string[], skill: string, side: "start" | "end"): readonly string[] {
  const at = row.indexOf(skill);
  const isNearEnd = at >= row.length / 2;
  return isNearEnd === (side === "end") || row.length === 1 ? row : row.toReversed();
}
