import { UNSPACED } from "./words.ts";

/** Grams are identified by a hash, so that reading a query creates no strings. Collisions are rare enough to ignore. */
export const GRAM_NUMBERS = 1 << 18;

/**
 * The character n-grams of a word with its edges marked: four letters in alphabets, two characters in scripts with
 * short words. They match what stems miss: compounds, other inflections, misspellings.
 */
export function gramsOf(word: string): number[] {
  const size = /[^\x00-\x7f]/.test(word) && SHORT_WORDS.test(word) ? 2 : 4;
  const padded = size === 2 ? word : ` ${word} `;
  const grams: number[] = [];
  for (let at = 0; at === 0 || at + size <= padded.length; at++)
    grams.push(numberOf(padded, at, Math.min(at + size, padded.length)));
  return grams;
}

const SHORT_WORDS = new RegExp(`${UNSPACED.source}|\\p{Script=Hangul}`, "u");

/** FNV-1a over the code units, folded to the range. */
function numberOf(text: string, from: number, to: number): number {
  let hash = 0x811c9dc5;
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash ^ (hash >>> 18)) & (GRAM_NUMBERS - 1);
}
