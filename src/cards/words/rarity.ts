import { GRAM_NUMBERS, gramsOf } from "./character-grams.ts";
import type { WordFrequencies } from "./word-frequencies.ts";

/** Inverse document frequency of something that `count` of `total` documents have. */
export function rarity(count: number, total: number): number {
  return Math.log(1 + (total - count + 0.5) / (count + 0.5));
}

/** The numbered terms of a library, and how rare each is in this and other libraries together. */
export interface Vocabulary {
  numbers: Map<string, number>;
  idf: Float64Array;
  /** Rarity of a term that the library lacks. */
  idfOf(term: string): number;
}

export function vocabularyOf(
  numbers: Map<string, number>,
  documents: readonly { items: Int32Array }[],
  frequencies: WordFrequencies,
): Vocabulary {
  const found = new Int32Array(numbers.size);
  // `!`: there is a count for every number.
  for (const { items } of documents) for (const term of items) found[term]!++;
  const total = documents.length + frequencies.cards;
  const known = (term: string) => frequencies.counts.get(term) ?? 0;
  return {
    numbers,
    idf: Float64Array.from(numbers, ([term, number]) => rarity(found[number]! + known(term), total)),
    idfOf: (term) => rarity(known(term), total),
  };
}

/** Grams in a larger share of documents say next to nothing and cost the most time. */
const COMMON = 0.2;
const FEW_CARDS = 20;

/** Rarity by gram number; 0 for grams too common to matter. */
export function gramRarities(documents: readonly { items: Int32Array }[], frequencies: WordFrequencies): Float32Array {
  const counts = gramCounts(frequencies).slice();
  for (const { items } of documents) for (const gram of items) increase(counts, gram, 1);
  const total = documents.length + frequencies.cards;
  const idf = new Float32Array(GRAM_NUMBERS).fill(rarity(0, total));
  counts.forEach((count, gram) => {
    if (count > 0) idf[gram] = count > COMMON * total && total > FEW_CARDS ? 0 : rarity(Math.min(count, total), total);
  });
  return idf;
}

const known = new WeakMap<WordFrequencies, Float32Array>();

/** No table of gram frequencies is shipped: a gram is as common as the words that contain it. */
function gramCounts(frequencies: WordFrequencies): Float32Array {
  const made = known.get(frequencies);
  if (made !== undefined) return made;
  const counts = new Float32Array(GRAM_NUMBERS);
  for (const [term, count] of frequencies.counts)
    for (const gram of new Set(gramsOf(term))) increase(counts, gram, count);
  known.set(frequencies, counts);
  return counts;
}

function increase(counts: Float32Array, gram: number, by: number): void {
  counts[gram] = (counts[gram] ?? 0) + by;
}
