import { termsOf } from "./terms.ts";
import { shippedFrequencies } from "./word-frequencies.ts";

/** A word used by a larger share of all skills than this says little about any one of them. */
const COMMON = 0.03;

/** The words of a text that most skills do not use, each once. */
export function tellingWords(text: string): string[] {
  const { cards, counts } = shippedFrequencies();
  const found = new Map<string, string>();
  for (const { word, term } of termsOf(text, true)) {
    if (!found.has(term) && (counts.get(term) ?? 0) < COMMON * cards) found.set(term, word);
  }
  return [...found.values()];
}
