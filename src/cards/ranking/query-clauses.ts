import { type CardIndex, CLAUSE_KINDS } from "./card-index.ts";
import type { KnownTerm } from "./evidence.ts";
import { addWeights, clearSums } from "./postings.ts";

// Cards, clauses and terms are numbered from 0, and every array here is as long as its numbering.
// In these innermost loops `!` only tells the compiler so.

const [FOR, NOT_FOR] = [CLAUSE_KINDS.indexOf("for"), CLAUSE_KINDS.indexOf("notFor")];

/** Which clauses of a card are most like the query: of each kind one, as a position in the index (-1 for none), and its cosine. */
export interface BestClauses {
  name: number;
  nameCosine: number;
  for: number;
  forCosine: number;
  notFor: number;
  notForCosine: number;
}

/** How like a query the clauses of cards are. */
export class QueryClauses {
  readonly #index: CardIndex;
  /** By clause. Added up term by term, in the order of the query: a sum is the same whatever the order of the clause. */
  readonly #cosines: Float64Array;
  readonly #best: BestClauses = { name: -1, nameCosine: 0, for: -1, forCosine: 0, notFor: -1, notForCosine: 0 };
  /** What was added since the last query. */
  #terms: readonly KnownTerm[] = [];

  constructor(index: CardIndex) {
    this.#index = index;
    this.#cosines = new Float64Array(index.clauses.length);
  }

  /** Takes the next query: its terms, each once, and the length of its vector. */
  take(terms: readonly KnownTerm[], length: number): void {
    const { clauseTerms, terms: vocabulary } = this.#index;
    for (const { number } of this.#terms) clearSums(this.#cosines, clauseTerms, number);
    this.#terms = terms;
    for (const { number } of terms) addWeights(this.#cosines, clauseTerms, number, vocabulary.idf[number]! / length);
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
