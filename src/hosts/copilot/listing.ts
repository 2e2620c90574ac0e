import type { Candidate, Fitted, Listed, ListingOptions, ListingRules } from "../host.ts";

export const listing: ListingRules = { fit, bundledCharacters: () => 0 };

/** Covers skills listed with a description; the bare names after them are free. */
const BUDGET = 15_000;

const frame = "<skill>\n  <name></name>\n  <description></description>\n  <location>project</location>\n</skill>\n"
  .length;

/** Lists skills alphabetically, with descriptions until one does not fit, then only names. */
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
