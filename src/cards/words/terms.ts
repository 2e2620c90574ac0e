import { STOP_WORDS } from "./english.ts";
import { stem } from "./stem.ts";
import { words } from "./words.ts";

/** A word as it stands in a text, and the term it is matched by. */
export interface Term {
  word: string;
  term: string;
}

/** The words of a text that can tell topics apart. English words are matched by their stems. */
export function termsOf(text: string, english: boolean): Term[] {
  const terms: Term[] = [];
  for (const word of words(text)) {
    if (!STOP_WORDS.has(word)) terms.push({ word, term: english ? stem(word) : word });
  }
  return terms;
}
