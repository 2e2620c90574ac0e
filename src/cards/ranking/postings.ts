// Terms and documents are numbered from 0, and every array here is as long as its numbering.
// In these innermost loops `!` only tells the compiler so.

/** An inverted index in typed arrays: for every term, the documents that have it and how much it weighs there. */
export interface Postings {
  /** The entries of term t are [starts[t], starts[t + 1]). */
  starts: Int32Array;
  docs: Int32Array;
  weights: Float32Array;
}

/** What a document has, item by item: as two arrays, since thousands of maps take several times the memory. */
export interface Sparse {
  items: Int32Array;
  values: Float64Array;
}

/** `documents` have the numbers of terms, all below `terms`, and their weights. */
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

/** Is the document among those from `start` to `end`? They are in ascending order. */
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

/** Adds a term's weight, times `factor`, in every document that has it. */
export function addWeights(
  sums: Float64Array,
  { starts, docs, weights }: Postings,
  term: number,
  factor: number,
): void {
  const end = starts[term + 1]!;
  for (let at = starts[term]!; at < end; at++) sums[docs[at]!]! += factor * weights[at]!;
}

/** Sets the sum of every document that has the term back to 0: much less to do than for all documents. */
export function clearSums(sums: Float64Array, { starts, docs }: Postings, term: number): void {
  const end = starts[term + 1]!;
  for (let at = starts[term]!; at < end; at++) sums[docs[at]!] = 0;
}

/**
 * What the words of a query are worth to each card: sums over the same postings, taken in one pass and kept side by side, three numbers a card.
 */
export class WordSums {
  readonly #sums: Float64Array;

  constructor(cards: number) {
    this.#sums = new Float64Array(3 * cards);
  }

  /** Adds a word: its weight on each card that has it, and its share of the query. */
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

  /** How much of the query is on the card: the shares of its words. */
  coverage(card: number): number {
    return this.#sums[3 * card + 1]!;
  }

  matched(card: number): number {
    return this.#sums[3 * card + 2]!;
  }

  /** Takes back all that was added to the cards that have this word. */
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
