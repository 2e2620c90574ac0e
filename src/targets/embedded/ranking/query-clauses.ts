import { type CardIndex, CLAUSE_KINDS } from "./card-index.ts";
import type { KnownTerm } from "./evidence.ts";

// Cards, clauses and terms are numbered from 0, and every array here is as long as its numbering.
// In these innermost loops `!` only tells the compiler so.

/** Which clauses of a card are most like the query: one of each kind, as a position in the index (-1 for none), and its cosine. */
export interface BestClauses {
  at: Int32Array;
  cosines: Float64Array;
}

/** Compares a query with the clauses of cards, and only of those that somebody asks about. */
export class QueryClauses {
  readonly #index: CardIndex;
  /** By term: its place in the query, from 1, and its side of the cosine; 0 for terms that the query does not have. */
  readonly #places: Uint16Array;
  readonly #sides: Float64Array;
  #terms: readonly KnownTerm[] = [];
  /** What a clause shares with the query, in the order of the query: sums are the same whatever the order of the clause. */
  readonly #sharedPlaces: number[] = [];
  readonly #shared: number[] = [];
  readonly #best: BestClauses = { at: new Int32Array(CLAUSE_KINDS.length), cosines: new Float64Array(CLAUSE_KINDS.length) };
  /** The card that `#best` is about. */
  #card = -1;

  constructor(index: CardIndex) {
    this.#index = index;
    this.#places = new Uint16Array(index.terms.idf.length);
    this.#sides = new Float64Array(index.terms.idf.length);
  }

  /** Takes the next query: its terms, each once, and the length of its vector. */
  take(terms: readonly KnownTerm[], length: number): void {
    for (const { number } of this.#terms) this.#places[number] = 0;
    this.#terms = terms;
    this.#card = -1;
    terms.forEach(({ number }, at) => {
      this.#places[number] = at + 1;
      this.#sides[number] = this.#index.terms.idf[number]! / length;
    });
  }

  /** The card's clauses most like the query, the first of equals. It holds until the next card. */
  of(card: number): BestClauses {
    const best = this.#best;
    if (card === this.#card) return best;
    this.#card = card;
    best.at.fill(-1);
    best.cosines.fill(0);
    const { cardClauses, clauseKinds } = this.#index;
    const end = cardClauses[card + 1]!;
    for (let clause = cardClauses[card]!; clause < end; clause++) {
      const cosine = this.#cosine(clause);
      const kind = clauseKinds[clause]!;
      if (cosine <= best.cosines[kind]!) continue;
      best.cosines[kind] = cosine;
      best.at[kind] = clause;
    }
    return best;
  }

  #cosine(clause: number): number {
    const { starts, terms, weights } = this.#index.clauseTerms;
    const end = starts[clause + 1]!;
    let count = 0;
    for (let at = starts[clause]!; at < end; at++) if (this.#places[terms[at]!] !== 0) this.#share(terms[at]!, weights[at]!, count++);
    let sum = 0;
    for (let at = 0; at < count; at++) sum += this.#shared[at]!;
    return sum;
  }

  #share(term: number, weight: number, count: number): void {
    const places = this.#sharedPlaces;
    const shared = this.#shared;
    const place = this.#places[term]!;
    let to = count;
    for (; to > 0 && places[to - 1]! > place; to--) {
      places[to] = places[to - 1]!;
      shared[to] = shared[to - 1]!;
    }
    places[to] = place;
    shared[to] = this.#sides[term]! * weight;
  }
}
