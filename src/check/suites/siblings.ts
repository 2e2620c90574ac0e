import type { Library, Suite, Trigger } from "../../model/index.ts";
import { contentWords, normalText } from "./words.ts";

export interface Siblings {
  own(negative: Trigger, skill: string): boolean;
}

export function siblingsOf(suites: readonly Suite[], library: Library): Siblings {
  const positives = new Map<string, Set<string>>();
  for (const suite of suites) {
    for (const { query, expect } of suite.triggers) {
      for (const name of expect.required_skills) {
        const key = normalText(query);
        positives.set(key, (positives.get(key) ?? new Set()).add(name));
      }
    }
  }
  let index: Map<string, Set<string>> | undefined;
  return {
    own({ query, expect }, skill) {
      if (expect.required_skills.length > 0) return true;
      const owners = positives.get(normalText(query));
      if (owners !== undefined && [...owners].some((name) => name !== skill)) return true;
      index ??= indexCards(library);
      return soundsLikeSibling(query, skill, index);
    },
  };
}

function soundsLikeSibling(query: string, skill: string, index: Map<string, Set<string>>): boolean {
  const shared = new Map<string, { all: number; alone: number }>();
  for (const word of contentWords(query)) {
    const skills = index.get(word) ?? new Set();
    for (const name of skills) {
      const count = shared.get(name) ?? { all: 0, alone: 0 };
      const alone = skills.has(skill) ? 0 : 1;
      shared.set(name, { all: count.all + 1, alone: count.alone + alone });
    }
  }
  const own = shared.get(skill)?.all ?? 0;
  return [...shared].some(([name, { all, alone }]) => name !== skill && (alone >= 2 || (all >= 2 && all > own)));
}

function indexCards(library: Library): Map<string, Set<string>> {
  const index = new Map<string, Set<string>>();
  for (const { id, card } of library.skills) {
    for (const word of contentWords(`${card.name} ${card.description} ${card.whenToUse ?? ""}`))
      index.set(word, (index.get(word) ?? new Set()).add(id));
  }
  return index;
}
