/** What speaks for and against one card. The numbers are 0 when nothing is shared. */
export interface CardEvidence {
  /** Position of the card in the library. */
  card: number;
  bm25: number;
  /** Cosine of query and card by character n-grams. */
  grams: number;
  /** Cosine of the query and the clause, or the name, most like it. */
  clause: number;
  /** Position of that clause in the index; of the name where only the name is like it; -1 when no word is shared. */
  clauseAt: number;
  /** How much of the skill's name is in the query, weighted by rarity. */
  name: number;
  /** How much of the query is on the card, weighted by rarity. */
  coverage: number;
  /** How much of the query is in words that the card has only where it says what the skill is not for, as a share of `coverage`; at most 1. */
  excluded: number;
  /** How many different words are shared. */
  matched: number;
  /** The query names a technology that excludes the card's. */
  conflict: boolean;
  /** The query is about what the skill is not for. */
  notFor: boolean;
  /** Position of the clause on what the skill is not for that is most like the query; -1 where it has nothing of the query. */
  notForAt: number;
  /** The query says that it is not to be this skill. */
  declined: boolean;
  /** The query asks for an explanation and the card promises none. */
  asks: boolean;
  /** Cosine of the sentence embeddings of query and card; 0 where there are none. */
  similarity: number;
}

/** A term of a query by its number in the index, and the word it stands for there. */
export interface KnownTerm {
  number: number;
  word: string;
}

/** A query, read against a library. It holds until the next query is read: the sums behind it are scratch space. */
export interface QueryReading {
  /** Its terms that the library has, each once, in the order of the query. */
  known: KnownTerm[];
  /** How much of the query is on no card, weighted by rarity. */
  unknown: number;
  /** Positions of the cards that something speaks for. */
  cards: Int32Array;
  /** What speaks for and against a card. */
  evidenceOf(card: number): CardEvidence;
  /** Only its numbers, written into `into`: most cards are looked at once and forgotten. */
  numbersOf(card: number, into: CardEvidence): CardEvidence;
  /** The same without looking at its clauses: `clause` is the most that it can be. */
  mostOf(card: number, into: CardEvidence): CardEvidence;
}

/** A card that nothing speaks for or against. */
export function noEvidence(card: number): CardEvidence {
  return {
    card,
    bm25: 0,
    grams: 0,
    clause: 0,
    clauseAt: -1,
    name: 0,
    coverage: 0,
    excluded: 0,
    matched: 0,
    conflict: false,
    notFor: false,
    notForAt: -1,
    declined: false,
    asks: false,
    similarity: 0,
  };
}
