import { MOST_CLAUDE_CODE } from "../card-on-host.ts";
import type { Candidate, Fitted, Listed } from "./listing.ts";

/** The two sizes of context window Claude models come in, and the characters 1 % of each was measured to give. */
export const claudeCodeBudgets = {
  "200k": { model: "sonnet-4-5", characters: 8_000 },
  "1M": { model: "opus-5-5", characters: 30_000 },
} as const;

/**
 * One line a skill, all names always, descriptions while they fit: whole (up to 1,536 characters each) or not at all.
 * Past use decides who keeps its description; a fresh machine has none, and goes in the order of the listing.
 */
export function claudeCodeListing(candidates: Candidate[], model: string = claudeCodeBudgets["1M"].model): Fitted {
  const window = windowOf(model);
  const { characters: budget } = claudeCodeBudgets[window];
  const lines = candidates.map((candidate) => ({
    ...candidate,
    text: capped(candidate.description),
    cut: candidate.description.length > MOST_CLAUDE_CODE,
  }));
  let used = lines.reduce((sum, { name }) => sum + `- ${name}\n`.length, 0);
  const entries = lines.map(({ skill, text, cut }): Listed => {
    const costs = `: ${text}`.length;
    if (text === "") return { skill: skill.id, shown: "bare", characters: 0, why: "it has no description" };
    if (used + costs > budget)
      return { skill: skill.id, shown: "bare", characters: 0, why: "the budget for descriptions is used up", overBudget: true };
    used += costs;
    if (cut)
      return { skill: skill.id, shown: "cut", characters: text.length, why: `descriptions are cut at ${MOST_CLAUDE_CODE} characters` };
    return { skill: skill.id, shown: "whole", characters: text.length };
  });
  return { model, budget: { characters: budget, how: `1 % of a window of ${window} tokens` }, used, entries };
}

/** Models before the fifth generation have 200k tokens, unless the name asks for the long window; a name without a number is today's. */
function windowOf(model: string): keyof typeof claudeCodeBudgets {
  if (/\[1m\]/i.test(model)) return "1M";
  const version = /(?:^|[^\d])(\d)(?!\d)/.exec(model.replace(/^claude-/, ""));
  return Number(version?.[1] ?? 5) >= 5 ? "1M" : "200k";
}

function capped(description: string): string {
  return description.length > MOST_CLAUDE_CODE ? `${description.slice(0, MOST_CLAUDE_CODE - 1)}…` : description;
}
