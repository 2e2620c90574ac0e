export function didYouMean(
  name: string,
  candidates: Iterable<string>,
  otherwise: string,
  { most, show = (candidate) => candidate }: { most?: number; show?: (candidate: string) => string } = {},
): string {
  const near = nearest(name, candidates, most);
  return near.length > 0 ? `Did you mean ${near.map(show).join(" or ")}?` : otherwise;
}

export function nearest(name: string, candidates: Iterable<string>, most = 3): string[] {
  const wanted = name.toLowerCase();
  const limit = Math.max(2, Math.floor(wanted.length / 3));
  const scored: { candidate: string; distance: number }[] = [];
  for (const candidate of new Set(candidates)) {
    const text = candidate.toLowerCase();
    const part = wanted.length >= 3 && (text.includes(wanted) || wanted.includes(text));
    const distance = part
      ? Math.min(limit, 1 + Math.abs(text.length - wanted.length) / 100)
      : editDistance(wanted, text, limit);
    if (distance <= limit) scored.push({ candidate, distance });
  }
  return scored
    .sort((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, most)
    .map((entry) => entry.candidate);
}

/**
 * Whether the text differs only by a typo: one letter added, missing, replaced or two swapped; two edits in names of
 * eight letters or more.
 */
export function isSlip(written: string, meant: string): boolean {
  const letters = (text: string) => [...text].sort().join("");
  const distance = editDistance(written, meant, 2);
  return (
    distance > 0 &&
    (distance <= (written.length < 8 ? 1 : 2) || (distance === 2 && letters(written) === letters(meant)))
  );
}

/** Levenshtein distance; anything beyond `limit` counts as limit + 1. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    let best = i;
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      // `!`: both rows have an entry for each j up to here: `previous` is full, and `current` grows by one each time.
      const value = Math.min(previous[j]! + 1, current[j - 1]! + 1, previous[j - 1]! + cost);
      current.push(value);
      best = Math.min(best, value);
    }
    if (best > limit) return limit + 1;
    previous = current;
  }
  return previous.at(-1) ?? limit + 1;
}
