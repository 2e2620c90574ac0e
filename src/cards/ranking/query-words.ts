import { gramsOf } from "../words/character-grams.ts";
import { STOP_WORDS } from "../words/english.ts";
import { stem } from "../words/stem.ts";
import { hasSide } from "../words/technologies.ts";
import { words } from "../words/words.ts";
import type { CardIndex } from "./card-index.ts";

/** A word of a query, and what the index knows of it. */
export interface QueryWord {
  word: string;
  term: string;
  /** The number of its term in the index; -1 where the library does not have it. */
  number: number;
  idf: number;
  /** No card is found by it. */
  onNoCard: boolean;
  grams: readonly number[];
  /** It names a technology that excludes others. */
  hasSide: boolean;
}

/** Enough for the words of a large exam; what is beyond is looked up again. */
const MOST_KEPT = 20_000;

/** Reads the words of queries that can tell topics apart, in order. Queries have most of their words in common: each is looked up once. */
export function createQueryWords(index: CardIndex): (query: string) => QueryWord[] {
  /** undefined for words that tell nothing. */
  const known = new Map<string, QueryWord | undefined>();
  return (query) => {
    const found: QueryWord[] = [];
    for (const word of words(query)) {
      let read = known.get(word);
      if (read === undefined && !known.has(word)) {
        if (known.size >= MOST_KEPT) known.clear();
        read = STOP_WORDS.has(word) ? undefined : queryWord(word, index);
        known.set(word, read);
      }
      if (read !== undefined) found.push(read);
    }
    return found;
  };
}

function queryWord(
  word: string,
  { english, terms: { numbers, idf, idfOf }, cardTerms: { starts } }: CardIndex,
): QueryWord {
  const term = english ? stem(word) : word;
  const number = numbers.get(term) ?? -1;
  const grams = gramsOf(word);
  if (number === -1) return { word, term, number, idf: idfOf(term), onNoCard: true, grams, hasSide: hasSide(word) };
  // `!`: vocabulary and postings cover every number that was given out.
  return {
    word,
    term,
    number,
    idf: idf[number]!,
    onNoCard: starts[number] === starts[number + 1],
    grams,
    hasSide: hasSide(word),
  };
}
