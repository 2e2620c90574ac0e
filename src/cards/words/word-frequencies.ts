import { DF_CARDS, DF_TABLE } from "./word-frequencies.generated.ts";

/**
 * In how many cards of other libraries each word occurs. A library of two skills could not otherwise tell rare words
 * from common ones.
 */
export interface WordFrequencies {
  cards: number;
  /** Keyed by stem. Missing words were seen in too few libraries. */
  counts: ReadonlyMap<string, number>;
}

/** The shipped table, parsed on first use. */
export function shippedFrequencies(): WordFrequencies {
  shipped ??= parseFrequencies(DF_CARDS, DF_TABLE);
  return shipped;
}

let shipped: WordFrequencies | undefined;

/** One line per count: the count, then its words. */
export function formatFrequencies(frequencies: WordFrequencies): string {
  const lines = new Map<number, string[]>();
  for (const [stem, count] of frequencies.counts) lines.set(count, [...(lines.get(count) ?? []), stem]);
  return [...lines]
    .sort(([a], [b]) => b - a)
    .map(([count, stems]) => [count, ...stems.sort()].join(" "))
    .join("\n");
}

function parseFrequencies(cards: number, table: string): WordFrequencies {
  const counts = new Map<string, number>();
  for (const line of table.split("\n")) {
    const [count, ...stems] = line.split(" ");
    for (const stem of stems) counts.set(stem, Number(count));
  }
  return { cards, counts };
}
