// Terms and documents are numbered from 0, and every array here is as long as its numbering.
// In these innermost loops `!` only tells the compiler so.

/** An inverted index in typed arrays: for each term, its documents and its weight in each. */
export interface Postings {
  /** The entries of term t are [starts[t], starts[t + 1]). */
  starts: Int32Array;
  docs: Int32Array;
  weights: Float32Array;
}

/** A sparse vector. Two arrays take a fraction of a map's memory. */
export interface Sparse {
  items: Int32Array;
  values: Float64Array;
}

/** `documents` hold term numbers, all below `terms`, and weights. */
export function postingsOf(documents: readonly Sparse[], terms: number): Postings {
  const starts = new Int32Array(terms + 1);
  for (const { items } of documents) for (const term of items) starts[term + 1]!++;
  for (let term = 0; term < terms; term++) starts[term + 1]! += starts[term]!;

  const next = starts.slice();
  const docs = new Int32Array(starts[terms]!);
  const weights = new Float32Array(starts[terms]!);
  documents.forEach(({ items, values }, doc) => {
    for (let i = 0; i < items.length; i++) {
      const at = next[items[i]!]!++;
      docs[at] = doc;
      weights[at] = values[i]!;
    }
  });
  return { starts, docs, weights };
}

/** Binary search: postings list documents in ascending order. */
export function hasDoc(docs: Int32Array, start: number, end: number, doc: number): boolean {
  let low = start;
  let high = end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (docs[middle]! < doc) low = middle + 1;
    else high = middle;
  }
  return low < end && docs[low] === doc;
}

/** Adds the term's weight, times `factor`, for every document that has it. */
export function addWeights(
  sums: Float64Array,
  { starts, docs, weights }: Postings,
  term: number,
  factor: number,
): void {
  const end = starts[term + 1]!;
  for (let at = starts[term]!; at < end; at++) sums[docs[at]!]! += factor * weights[at]!;
}

/** Resets only documents that have the term, which is far cheaper than clearing all. */
export function clearSums(sums: Float64Array, { starts, docs }: Postings, term: number): void {
  const end = starts[term + 1]!;
  for (let at = starts[term]!; at < end; at++) sums[docs[at]!] = 0;
}

/** Sums per card over a query's words: BM25, coverage and matches, side by side so that one pass fills them. */
export class WordSums {
  readonly #sums: Float64Array;

  constructor(cards: number) {
    this.#sums = new Float64Array(3 * cards);
  }

  /** Adds a word's weight on each card that has it, and its share of the query. */
  add({ starts, docs, weights }: Postings, term: number, share: number): void {
    const sums = this.#sums;
    const end = starts[term + 1]!;
    for (let at = starts[term]!; at < end; at++) {
      const card = 3 * docs[at]!;
      sums[card]! += weights[at]!;
      sums[card + 1]! += share;
      sums[card + 2]!++;
    }
  }

  bm25(card: number): number {
    return this.#sums[3 * card]!;
  }

  coverage(card: number): number {
    return this.#sums[3 * card + 1]!;
  }

  matched(card: number): number {
    return this.#sums[3 * card + 2]!;
  }

  /** Resets the cards that have this word. */
  clear({ starts, docs }: Postings, term: number): void {
    const sums = this.#sums;
    const end = starts[term + 1]!;
    for (let at = starts[term]!; at < end; at++) {
      const card = 3 * docs[at]!;
      sums[card] = 0;
      sums[card + 1] = 0;
      sums[card + 2] = 0;
    }
  }
}
