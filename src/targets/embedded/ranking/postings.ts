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

export function sparse(values: ReadonlyMap<number, number>): Sparse {
  return { items: Int32Array.from(values.keys()), values: Float64Array.from(values.values()) };
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

/** Is the document among those from `start` to `end`? They stand in rising order. */
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

/** Sums by document. It remembers which documents it touched, so clearing costs no more than filling did. */
export class Sums {
  readonly values: Float64Array;
  /** The first `count` of `touched` are the documents that have a sum. */
  readonly touched: Int32Array;
  count = 0;
  readonly #seen: Uint8Array;

  constructor(documents: number) {
    this.values = new Float64Array(documents);
    this.touched = new Int32Array(documents);
    this.#seen = new Uint8Array(documents);
  }

  /** Adds a term's weight in every document that has it. */
  add({ starts, docs, weights }: Postings, term: number, factor: number): void {
    const { values, touched } = this;
    const seen = this.#seen;
    const end = starts[term + 1]!;
    let count = this.count;
    for (let at = starts[term]!; at < end; at++) {
      const doc = docs[at]!;
      values[doc]! += factor * weights[at]!;
      if (seen[doc] === 0) {
        seen[doc] = 1;
        touched[count++] = doc;
      }
    }
    this.count = count;
  }

  clear(): void {
    for (let at = 0; at < this.count; at++) {
      const doc = this.touched[at]!;
      this.values[doc] = 0;
      this.#seen[doc] = 0;
    }
    this.count = 0;
  }
}

/** What the words of a query are worth to each card: three sums over the same postings, taken in one pass. */
export class WordSums {
  readonly bm25: Float64Array;
  readonly coverage: Float64Array;
  readonly matched: Uint32Array;
  /** The first `count` of `touched` are the cards that have one of the words. */
  readonly touched: Int32Array;
  count = 0;

  constructor(cards: number) {
    this.bm25 = new Float64Array(cards);
    this.coverage = new Float64Array(cards);
    this.matched = new Uint32Array(cards);
    this.touched = new Int32Array(cards);
  }

  /** Adds a word: its weight on each card that has it, and its share of the query. */
  add({ starts, docs, weights }: Postings, term: number, share: number): void {
    const { bm25, coverage, matched, touched } = this;
    const end = starts[term + 1]!;
    let count = this.count;
    for (let at = starts[term]!; at < end; at++) {
      const card = docs[at]!;
      bm25[card]! += weights[at]!;
      coverage[card]! += share;
      if (matched[card]!++ === 0) touched[count++] = card;
    }
    this.count = count;
  }

  clear(): void {
    for (let at = 0; at < this.count; at++) {
      const card = this.touched[at]!;
      this.bm25[card] = 0;
      this.coverage[card] = 0;
      this.matched[card] = 0;
    }
    this.count = 0;
  }
}
