import type { Candidate, Fitted, Listed } from "./listing.ts";

/** About 16 kB for the whole block: 150 skills of 627 characters were seen as 20 with a description and 130 names. */
const BUDGET = 16_384;

const frame = "<skill>\n  <name></name>\n  <description></description>\n  <location>project</location>\n</skill>\n".length;

/** The first skills of the alphabet with their descriptions, all others by name only. */
export function copilotListing(candidates: Candidate[], model = "gpt-4.1"): Fitted {
  let used = candidates.reduce((sum, { name }) => sum + name.length + 2, 0);
  let full = false;
  const entries = candidates.map(({ skill, name, description }): Listed => {
    const costs = frame + description.length - 2;
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
  return { model, budget: { characters: BUDGET, how: "about 16 kB for the whole list" }, used, entries };
}
