import type { Model } from "../data/model.ts";

const WORDS: Record<string, string> = { whole: "whole", cut: "cut", bare: "name only", absent: "not shown" };

/** How a target's listings showed each skill to the model; several ways if trials differ. */
export function shownOf({ exam }: Model, target: number): Map<string, string> {
  const ways = new Map<string, Set<string>>();
  for (const at of exam?.seenListings[target] ?? [])
    for (const { skill, shown } of exam?.listings[at] ?? [])
      ways.set(skill, (ways.get(skill) ?? new Set()).add(WORDS[shown] ?? shown));
  return new Map([...ways].map(([skill, found]) => [skill, [...found].join(" or ")]));
}
