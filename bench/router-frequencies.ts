import { clausesOf } from "../src/cards/clauses/clauses.ts";
import { termsOf } from "../src/cards/words/terms.ts";
import type { WordFrequencies } from "../src/cards/words/word-frequencies.ts";
import type { Repository } from "./router-corpus.ts";

export const MIN_REPOSITORIES = 3;

/** Document frequencies over the cards of all these repositories, of words that several of them use. */
export function frequenciesOf(repositories: readonly Repository[]): WordFrequencies {
  const counts = new Map<string, number>();
  const spread = new Map<string, number>();
  let cards = 0;
  for (const repository of repositories) {
    const here = new Set<string>();
    for (const { card } of repository.cards) {
      cards++;
      const text = [
        card.name,
        ...clausesOf([card.description, card.whenToUse ?? ""].join("\n\n"), card.name).positive,
      ].join(" ; ");
      for (const term of new Set(termsOf(text, true).map(({ term }) => term))) {
        counts.set(term, (counts.get(term) ?? 0) + 1);
        here.add(term);
      }
    }
    for (const term of here) spread.set(term, (spread.get(term) ?? 0) + 1);
  }
  for (const [term, repos] of spread) if (repos < MIN_REPOSITORIES || !/^\p{L}+$/u.test(term)) counts.delete(term);
  return { cards, counts };
}
