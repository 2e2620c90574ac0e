import { STOP_WORDS, stemmed, words } from "./words.ts";

/** A word of a text as it stands there, and the term it is matched by. */
export interface Term {
  word: string;
  term: string;
}

/** The words of a text that can tell topics apart. */
export function termsOf(text: string, english: boolean): Term[] {
  const terms: Term[] = [];
  for (const word of words(text)) {
    if (!STOP_WORDS.has(word)) terms.push({ word, term: english ? stemmed(word) : word });
  }
  return terms;
}
