import { STOP_WORDS, stemmed, UNSPACED, words } from "./text.ts";

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

/**
 * The character n-grams of a word, with its edges marked: four letters of an alphabet, two characters of scripts whose words are that short.
 * They find what stems miss: compounds, other inflections, misspellings.
 */
export function gramsOf(word: string): string[] {
  const size = UNSPACED.test(word) || HANGUL.test(word) ? 2 : 4;
  const characters = size === 2 ? [...word] : [..." ".concat(word, " ")];
  if (characters.length <= size) return [characters.join("")];
  const grams: string[] = [];
  for (let at = 0; at + size <= characters.length; at++) grams.push(characters.slice(at, at + size).join(""));
  return grams;
}

const HANGUL = /\p{Script=Hangul}/u;
