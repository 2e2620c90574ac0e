import { type CardIndex, CLAUSE_KINDS } from "./card-index.ts";
import type { KnownTerm } from "./evidence.ts";
import { addWeights, clearSums } from "./postings.ts";

// Cards, clauses and terms are numbered from 0, and every array here is as long as its numbering.
// In these innermost loops `!` only tells the compiler so.

const [FOR, NOT_FOR] = [CLAUSE_KINDS.indexOf("for"), CLAUSE_KINDS.indexOf("notFor")];

/** A card's clause of each kind most similar to the query: position in the index (-1 for none) and cosine. */
export interface BestClauses {
  name: number;
  nameCosine: number;
  for: number;
  forCosine: number;
  notFor: number;
  notForCosine: number;
}

/** Cosines of a query and the clauses of cards. */
export class QueryClauses {
  readonly #index: CardIndex;
  /** Keyed by clause, summed in query order, so that rounding does not depend on the order of words in a clause. */
  readonly #cosines: Float64Array;
  readonly #best: BestClauses = { name: -1, nameCosine: 0, for: -1, forCosine: 0, notFor: -1, notForCosine: 0 };
  /** Terms of the current query, to be cleared before the next. */
  #terms: readonly KnownTerm[] = [];

  constructor(index: CardIndex) {
    this.#index = index;
    this.#cosines = new Float64Array(index.clauses.length);
  }

  /** Takes the next query: its distinct terms, and the length of its vector. */
  take(terms: readonly KnownTerm[], length: number): void {
    const { clauseTerms, terms: vocabulary } = this.#index;
    for (const { number } of this.#terms) clearSums(this.#cosines, clauseTerms, number);
    this.#terms = terms;
    for (const { number } of terms) addWeights(this.#cosines, clauseTerms, number, vocabulary.idf[number]! / length);
  }

  /** The best cosine among the name and the clauses, except not-for clauses. */
  likest(card: number): number {
    const { cardClauses, clauseKinds } = this.#index;
    const end = cardClauses[card + 1]!;
    let most = 0;
    for (let clause = cardClauses[card]!; clause < end; clause++) {
      if (clauseKinds[clause] !== NOT_FOR && this.#cosines[clause]! > most) most = this.#cosines[clause]!;
    }
    return most;
  }

  /** The card's clauses most similar to the query, the first of equals. The result is reused for the next card. */
  of(card: number): BestClauses {
    const best = this.#best;
    best.name = best.for = best.notFor = -1;
    best.nameCosine = best.forCosine = best.notForCosine = 0;
    const { cardClauses, clauseKinds } = this.#index;
    const end = cardClauses[card + 1]!;
    for (let clause = cardClauses[card]!; clause < end; clause++) {
      const cosine = this.#cosines[clause]!;
      const kind = clauseKinds[clause]!;
      if (kind === FOR) {
        if (cosine > best.forCosine) [best.for, best.forCosine] = [clause, cosine];
      } else if (kind === NOT_FOR) {
        if (cosine > best.notForCosine) [best.notFor, best.notForCosine] = [clause, cosine];
      } else if (cosine > best.nameCosine) [best.name, best.nameCosine] = [clause, cosine];
    }
    return best;
  }
}
