import { termsOf } from "./terms.ts";
import { shippedBackground } from "./word-frequencies.ts";

/** A word that more of all skills use than this says little about one. */
const COMMON = 0.03;

/** The words of a text that most skills do not use, each once. */
export function tellingWords(text: string): string[] {
  const { cards, counts } = shippedBackground();
  const found = new Map<string, string>();
  for (const { word, term } of termsOf(text, true)) {
    if (!found.has(term) && (counts.get(term) ?? 0) < COMMON * cards) found.set(term, word);
  }
  return [...found.values()];
}
