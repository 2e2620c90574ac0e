/**
 * Makes rivals neighbours: starting with the strongest pair, joins the rows that contain its two skills. Skills without
 * a rival come last, in their given order. Deterministic.
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

/** Reverses the row if that brings the skill nearer to the given side. */
function facing(row: readonly string[], skill: string, side: "start" | "end"): readonly string[] {
  const at = row.indexOf(skill);
  const isNearEnd = at >= row.length / 2;
  return isNearEnd === (side === "end") || row.length === 1 ? row : row.toReversed();
}
