import { DF_CARDS, DF_TABLE } from "./word-frequencies.generated.ts";

/** How many cards of other libraries use a word: what makes "none of these" possible in a library of two. */
export interface Background {
  cards: number;
  /** By stem. A word that is not here was seen in too few libraries to tell. */
  counts: ReadonlyMap<string, number>;
}

/** The table has one line per count: the count, then the words that have it. */
function parseBackground(cards: number, table: string): Background {
  const counts = new Map<string, number>();
  for (const line of table.split("\n")) {
    const [count, ...stems] = line.split(" ");
    for (const stem of stems) counts.set(stem, Number(count));
  }
  return { cards, counts };
}

export function formatBackground(background: Background): string {
  const lines = new Map<number, string[]>();
  for (const [stem, count] of background.counts) lines.set(count, [...(lines.get(count) ?? []), stem]);
  return [...lines]
    .sort(([a], [b]) => b - a)
    .map(([count, stems]) => [count, ...stems.sort()].join(" "))
    .join("\n");
}

let shipped: Background | undefined;

/** The table that comes with the package, parsed when it is first needed. */
export function shippedBackground(): Background {
  shipped ??= parseBackground(DF_CARDS, DF_TABLE);
  return shipped;
}
