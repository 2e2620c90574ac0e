import { looksEnglish } from "../words/english.ts";
import { termsOf } from "../words/terms.ts";
import { words } from "../words/words.ts";
import { describedIn, purposesOf } from "./purposes.ts";
import type { RouterCard } from "./router-card.ts";

/** The words of a query that are on no card at all, not even among what a skill is not for. */
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
