// Terms and documents are numbered from 0, and every array here is as long as its numbering.
// In these innermost loops `!` only tells the compiler so.

/** An inverted index in typed arrays: for every term, the documents that have it and how much it weighs there. */
export interface Postings {
  /** The entries of term t are [starts[t], starts[t + 1]). */
  starts: Int32Array;
  docs: Int32Array;
  weights: Float32Array;
}

/** `documents` maps the numbers of terms, all below `terms`, to their weights. */
export function postingsOf(documents: readonly ReadonlyMap<number, number>[], terms: number): Postings {
  const starts = new Int32Array(terms + 1);
  for (const document of documents) for (const term of document.keys()) starts[term + 1]!++;
  for (let term = 0; term < terms; term++) starts[term + 1]! += starts[term]!;

  const next = starts.slice();
  const docs = new Int32Array(starts[terms]!);
  const weights = new Float32Array(starts[terms]!);
  documents.forEach((document, doc) => {
    for (const [term, weight] of document) {
      const at = next[term]!++;
      docs[at] = doc;
      weights[at] = weight;
    }
  });
  return { starts, docs, weights };
}

/** Sums by document. It remembers which documents it touched, so clearing costs no more than filling did. */
export class Sums {
  readonly values: Float64Array;
  readonly touched: number[] = [];
  readonly #seen: Uint8Array;

  constructor(documents: number) {
    this.values = new Float64Array(documents);
    this.#seen = new Uint8Array(documents);
  }

  /** Adds a term's weight in every document that has it. */
  add({ starts, docs, weights }: Postings, term: number, factor: number): void {
    const { values, touched } = this;
    const seen = this.#seen;
    const end = starts[term + 1]!;
    for (let at = starts[term]!; at < end; at++) {
      const doc = docs[at]!;
      values[doc]! += factor * weights[at]!;
      if (seen[doc] === 0) {
        seen[doc] = 1;
        touched.push(doc);
      }
    }
  }

  /** Adds the same amount to every document that has the term. */
  addEach({ starts, docs }: Postings, term: number, amount: number): void {
    const { values, touched } = this;
    const seen = this.#seen;
    const end = starts[term + 1]!;
    for (let at = starts[term]!; at < end; at++) {
      const doc = docs[at]!;
      values[doc]! += amount;
      if (seen[doc] === 0) {
        seen[doc] = 1;
        touched.push(doc);
      }
    }
  }

  clear(): void {
    for (const doc of this.touched) {
      this.values[doc] = 0;
      this.#seen[doc] = 0;
    }
    this.touched.length = 0;
  }
}
