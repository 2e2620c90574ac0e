/** The evidence for and against one card. Numbers are 0 if nothing is shared. */
export interface CardEvidence {
  /** Position of the card in the library. */
  card: number;
  bm25: number;
  /** Cosine of query and card by character n-grams. */
  grams: number;
  /** Cosine of the query and the most similar clause, or the name. */
  clause: number;
  /** Position of that clause (or of the name) in the index; -1 if no word is shared. */
  clauseAt: number;
  /** Share of the skill's name that is in the query, weighted by rarity. */
  name: number;
  /** Share of the query that is on the card, weighted by rarity. */
  coverage: number;
  /** Share of the query in words that the card has only in its not-for clauses, relative to `coverage`; at most 1. */
  excluded: number;
  /** Number of distinct shared words. */
  matched: number;
  /** The query names a technology that excludes the card's. */
  conflict: boolean;
  /** The query is about what the skill is not for. */
  notFor: boolean;
  /** Position of the not-for clause most similar to the query; -1 if none shares a word. */
  notForAt: number;
  /** The query declines this skill by name. */
  declined: boolean;
  /** The query asks for an explanation and the card promises none. */
  asks: boolean;
  /** Cosine of the sentence embeddings of query and card; 0 without embeddings. */
  similarity: number;
}

/** A query term: its number in the index, and the word as written. */
export interface KnownTerm {
  number: number;
  word: string;
}

/** A query read against a library. Valid until the next query is read, because the sums behind it are reused. */
export interface QueryReading {
  /** Terms that the library has, each once, in query order. */
  known: KnownTerm[];
  /** Share of the query that is on no card, weighted by rarity. */
  unknown: number;
  /** Positions of the cards with any evidence. */
  cards: Int32Array;
  evidenceOf(card: number): CardEvidence;
  /** Only the numbers, written into `into` to avoid an allocation per card. */
  numbersOf(card: number, into: CardEvidence): CardEvidence;
  /** Like `numbersOf`, but does not look at clauses: `clause` is an upper bound. */
  mostOf(card: number, into: CardEvidence): CardEvidence;
}

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
