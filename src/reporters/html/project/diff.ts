export interface DiffPart {
  type: "same" | "out" | "in";
  items: string[];
}

/** Beyond this many edits the two lists have too little in common for a detailed diff. */
const MOST_EDITS = 1_000;

/** Shortest edit script between two lists (Myers 1986). */
export function diffOf(before: readonly string[], after: readonly string[]): DiffPart[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  while (end < before.length - start && end < after.length - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  const [a, b] = [before.slice(start, before.length - end), after.slice(start, after.length - end)];
  return joined([
    { type: "same", items: before.slice(0, start) },
    ...between(a, b),
    { type: "same", items: before.slice(before.length - end) },
  ]);
}

function between(a: readonly string[], b: readonly string[]): DiffPart[] {
  const whole: DiffPart[] = [
    { type: "out", items: [...a] },
    { type: "in", items: [...b] },
  ];
  if (a.length === 0 || b.length === 0) return whole;
  // Furthest position on each diagonal, per number of edits.
  const trace: Map<number, number>[] = [];
  let reached = new Map<number, number>([[1, 0]]);
  for (let edits = 0; edits <= Math.min(a.length + b.length, MOST_EDITS); edits++) {
    trace.push(reached);
    const next = new Map(reached);
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let x = isDown(diagonal, edits, reached)
        ? (reached.get(diagonal + 1) ?? 0)
        : (reached.get(diagonal - 1) ?? 0) + 1;
      while (x < a.length && x - diagonal < b.length && a[x] === b[x - diagonal]) x++;
      next.set(diagonal, x);
      if (x >= a.length && x - diagonal >= b.length) return walkedBack(a, b, trace);
    }
    reached = next;
  }
  return whole;
}

function isDown(diagonal: number, edits: number, reached: ReadonlyMap<number, number>): boolean {
  return (
    diagonal === -edits || (diagonal !== edits && (reached.get(diagonal - 1) ?? -1) < (reached.get(diagonal + 1) ?? -1))
  );
}

function walkedBack(a: readonly string[], b: readonly string[], trace: readonly Map<number, number>[]): DiffPart[] {
  const parts: DiffPart[] = [];
  let [x, y] = [a.length, b.length];
  for (let edits = trace.length - 1; edits >= 0; edits--) {
    const reached = trace[edits] ?? new Map<number, number>();
    const diagonal = x - y;
    const from = isDown(diagonal, edits, reached) ? diagonal + 1 : diagonal - 1;
    const [fromX, fromY] = edits === 0 ? [0, 0] : [reached.get(from) ?? 0, (reached.get(from) ?? 0) - from];
    while (x > fromX && y > fromY) {
      x--;
      y--;
      parts.push({ type: "same", items: [a[x] ?? ""] });
    }
    if (edits === 0) break;
    if (from > diagonal) parts.push({ type: "in", items: [b[fromY] ?? ""] });
    else parts.push({ type: "out", items: [a[fromX] ?? ""] });
    [x, y] = [fromX, fromY];
  }
  return parts.reverse();
}

/** Merges adjacent parts of one type, and puts removals before additions. */
function joined(parts: readonly DiffPart[]): DiffPart[] {
  const all: DiffPart[] = [];
  for (const { type, items } of parts) {
    if (items.length === 0) continue;
    const last = all.at(-1);
    const before = all.at(-2);
    if (last?.type === type) last.items.push(...items);
    else if (type === "out" && last?.type === "in" && before?.type === "out") before.items.push(...items);
    else if (type === "out" && last?.type === "in") all.splice(-1, 0, { type, items: [...items] });
    else all.push({ type, items: [...items] });
  }
  return all;
}
