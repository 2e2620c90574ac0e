import { STOP_WORDS } from "./language.ts";
import { stem } from "./stem.ts";
import { shippedFrequencies } from "./word-frequencies.ts";
import { words } from "./words.ts";

/** A word as written, and the term it is matched by. */
export interface Term {
  word: string;
  term: string;
}

/** The words of a text that carry a topic. English words are matched by their stems. */
export function termsOf(text: string, english: boolean): Term[] {
  const terms: Term[] = [];
  for (const word of words(text)) {
    if (!STOP_WORDS.has(word)) terms.push({ word, term: english ? stem(word) : word });
  }
  return terms;
}

const COMMON = 0.03;

/** The distinctive words of a text, each once: those that few skills use. */
export function tellingWords(text: string): string[] {
  const { cards, counts } = shippedFrequencies();
  const found = new Map<string, string>();
  for (const { word, term } of termsOf(text, true)) {
    if (!found.has(term) && (counts.get(term) ?? 0) < COMMON * cards) found.set(term, word);
  }
  return [...found.values()];
}
