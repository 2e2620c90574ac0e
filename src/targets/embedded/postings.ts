/** An inverted index in typed arrays: for every term, the documents that have it and how much it weighs there. */
export interface Postings {
  /** The entries of term t are [starts[t], starts[t + 1]). */
  starts: Int32Array;
  docs: Int32Array;
  weights: Float32Array;
}

/** Documents as maps from term to weight; terms are small integers below `terms`. */
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

/** Sums by document, with a list of those touched, so that clearing costs what filling did. */
export class Sums {
  readonly values: Float64Array;
  readonly touched: number[] = [];
  readonly #seen: Uint8Array;

  constructor(documents: number) {
    this.values = new Float64Array(documents);
    this.#seen = new Uint8Array(documents);
  }

  add({ starts, docs, weights }: Postings, term: number, factor: number): void {
    const end = starts[term + 1]!;
    for (let at = starts[term]!; at < end; at++) this.addTo(docs[at]!, factor * weights[at]!);
  }

  addTo(doc: number, amount: number): void {
    this.values[doc]! += amount;
    if (this.#seen[doc] === 1) return;
    this.#seen[doc] = 1;
    this.touched.push(doc);
  }

  clear(): void {
    for (const doc of this.touched) {
      this.values[doc] = 0;
      this.#seen[doc] = 0;
    }
    this.touched.length = 0;
  }
}
