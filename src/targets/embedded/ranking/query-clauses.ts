import { type CardIndex, CLAUSE_KINDS } from "./card-index.ts";
import type { KnownTerm } from "./evidence.ts";
import { addWeights } from "./postings.ts";

// Cards, clauses and terms are numbered from 0, and every array here is as long as its numbering.
// In these innermost loops `!` only tells the compiler so.

const NOT_FOR = CLAUSE_KINDS.indexOf("notFor");

/** Which clauses of a card are most like the query: one of each kind, as a position in the index (-1 for none), and its cosine. */
export interface BestClauses {
  at: Int32Array;
  cosines: Float64Array;
}

/** How like a query the clauses of cards are. */
export class QueryClauses {
  readonly #index: CardIndex;
  /** By clause. Added up term by term, in the order of the query: a sum is the same whatever the order of the clause. */
  readonly #cosines: Float64Array;
  readonly #best: BestClauses = { at: new Int32Array(CLAUSE_KINDS.length), cosines: new Float64Array(CLAUSE_KINDS.length) };

  constructor(index: CardIndex) {
    this.#index = index;
    this.#cosines = new Float64Array(index.clauses.length);
  }

  /** Takes the next query: its terms, each once, and the length of its vector. */
  take(terms: readonly KnownTerm[], length: number): void {
    this.#cosines.fill(0);
    for (const { number } of terms) addWeights(this.#cosines, this.#index.clauseTerms, number, this.#index.terms.idf[number]! / length);
  }

  /** The cosine of the clause, or the name, that is most like the query; what the skill is not for does not count. */
  likest(card: number): number {
    const { cardClauses, clauseKinds } = this.#index;
    const end = cardClauses[card + 1]!;
    let most = 0;
    for (let clause = cardClauses[card]!; clause < end; clause++) {
      if (clauseKinds[clause] !== NOT_FOR && this.#cosines[clause]! > most) most = this.#cosines[clause]!;
    }
    return most;
  }

  /** The card's clauses most like the query, the first of equals. It holds until the next card. */
  of(card: number): BestClauses {
    const best = this.#best;
    best.at.fill(-1);
    best.cosines.fill(0);
    const { cardClauses, clauseKinds } = this.#index;
    const end = cardClauses[card + 1]!;
    for (let clause = cardClauses[card]!; clause < end; clause++) {
      const cosine = this.#cosines[clause]!;
      const kind = clauseKinds[clause]!;
      if (cosine <= best.cosines[kind]!) continue;
      best.cosines[kind] = cosine;
      best.at[kind] = clause;
    }
    return best;
  }
}
