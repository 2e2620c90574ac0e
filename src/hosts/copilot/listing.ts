import type { Candidate, Fitted, Listed, ListingOptions, ListingRules } from "../host.ts";

/** Its own skills come last, and take nothing from others. */
export const listing: ListingRules = { fit, bundledCharacters: () => 0 };

/** For the skills with a description; the names after them are not counted. */
const BUDGET = 15_000;

const frame = "<skill>\n  <name></name>\n  <description></description>\n  <location>project</location>\n</skill>\n"
  .length;

/** The first skills of the alphabet with their descriptions, up to the first that does not fit; that one and all others by name only. */
function fit(candidates: Candidate[], { model = "gpt-4.1" }: ListingOptions): Fitted {
  let used = 0;
  let full = false;
  const entries = candidates.map(({ skill, name, description }): Listed => {
    const costs = frame + name.length + description.length;
    full ||= used + costs > BUDGET;
    if (full)
      return {
        skill: skill.id,
        shown: "bare",
        characters: 0,
        why: `the listing is full; ${name} is among the additional names`,
        overBudget: true,
      };
    used += costs;
    return { skill: skill.id, shown: "whole", characters: description.length };
  });
  return {
    model,
    budget: { characters: BUDGET, how: "for the skills that it lists with a description" },
    used,
    entries,
  };
}
