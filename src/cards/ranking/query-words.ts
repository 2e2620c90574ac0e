import { describedIn, purposesOf } from "../clauses/clauses.ts";
import { gramsOf } from "../words/character-grams.ts";
import { looksEnglish, STOP_WORDS } from "../words/language.ts";
import { stem } from "../words/stem.ts";
import { hasSide } from "../words/technologies.ts";
import { termsOf } from "../words/terms.ts";
import { words } from "../words/words.ts";
import type { CardIndex, RouterCard } from "./card-index.ts";

/** A query word with what the index knows of it. */
export interface QueryWord {
  word: string;
  term: string;
  /** Number of its term in the index; -1 if the library lacks it. */
  number: number;
  idf: number;
  /** No card attracts by it; it may still be in a not-for clause. */
  onNoCard: boolean;
  grams: readonly number[];
  /** Names a technology that excludes others. */
  hasSide: boolean;
}

/** Cached words; enough for a large exam. */
const MOST_KEPT = 20_000;

/** Reads the topic words of queries, in order. Words are cached because queries share most of them. */
export function createQueryWords(index: CardIndex): (query: string) => QueryWord[] {
  /** Undefined for stop words. */
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

/** The words of a query that are on no card, not even in what a skill is not for. */
export function unknownWords(query: string, cards: readonly RouterCard[]): string[] {
  const texts = cards.map(({ card }) =>
    [card.name, ...purposesOf(card), ...describedIn(card).negative, ...card.notFor].join(" "),
  );
  const english = looksEnglish(texts.flatMap(words));
  const known = new Set(texts.flatMap((text) => termsOf(text, english).map(({ term }) => term)));
  const unknown = new Map<string, string>();
  for (const { word, term } of termsOf(query, english))
    if (!known.has(term) && !unknown.has(term)) unknown.set(term, word);
  return [...unknown.values()];
}
