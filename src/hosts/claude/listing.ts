import { MOST_CLAUDE_CODE } from "../card.ts";
import type { Bundled, Candidate, Fitted, Listed } from "../listing.ts";

/** A model of each kind that people use, for a check that knows no model. */
export const claudeCodeModels = { "200k": "sonnet-4-5", "1M": "opus-5-5" } as const;

/** The newest version in which models after 4.6 were seen with 200k tokens, unless the name asked for more. */
const LAST_SMALL = [2, 1, 260];

/**
 * One line a skill, all names always, descriptions while they fit: whole (up to 1,536 characters each) or not at all.
 * Past use decides who keeps its description; a fresh machine has none, and goes in the order of the listing. Its own skills keep theirs.
 */
export function claudeCodeListing(
  candidates: Candidate[],
  { model = claudeCodeModels["1M"], version, bundled }: { model?: string; version?: string | undefined; bundled?: Bundled | undefined },
): Fitted {
  const budget = budgetOf(model, version);
  const lines = candidates.map((candidate) => ({
    ...candidate,
    text: capped(candidate.description),
    cut: candidate.description.length > MOST_CLAUDE_CODE,
  }));
  // No line break after the last line.
  let used = lines.reduce((sum, { name }) => sum + `- ${name}\n`.length, 0) + (bundled?.characters ?? -1);
  const entries = lines.map(({ skill, text, cut }): Listed => {
    const costs = `: ${text}`.length;
    if (text === "") return { skill: skill.id, shown: "bare", characters: 0, why: "it has no description" };
    if (used + costs > budget.characters)
      return { skill: skill.id, shown: "bare", characters: 0, why: "the budget for descriptions is used up", overBudget: true };
    used += costs;
    if (cut)
      return { skill: skill.id, shown: "cut", characters: text.length, why: `descriptions are cut at ${MOST_CLAUDE_CODE} characters` };
    return { skill: skill.id, shown: "whole", characters: text.length };
  });
  return { model, budget, used: Math.max(0, used), entries };
}

/** 1 % of the window, at three characters a token, or at four for models up to 4.6. */
function budgetOf(model: string, version: string | undefined): { characters: number; how: string } {
  const older = isOlder(model);
  const large = /\[1m\]/i.test(model) || (!older && !isBefore(version));
  return {
    characters: (large ? 1_000_000 : 200_000) * (older ? 4 : 3) * 0.01,
    how: `1 % of a window of ${large ? "1M" : "200k"} tokens`,
  };
}

/** A name without a number is today's, and so is one that nobody knows. */
function isOlder(model: string): boolean {
  const [, major, minor] = /(?:^|[^\d])(\d)(?:[-.](\d))?(?!\d)/.exec(model.replace(/^claude-/, "")) ?? [];
  return major !== undefined && (Number(major) < 4 || (Number(major) === 4 && Number(minor ?? 0) <= 6));
}

function isBefore(version: string | undefined): boolean {
  const parts = version?.split(".").map((part) => Number.parseInt(part, 10)) ?? [];
  const at = LAST_SMALL.findIndex((part, index) => parts[index] !== part);
  return version !== undefined && (at < 0 || (parts[at] ?? 0) < LAST_SMALL[at]!);
}

function capped(description: string): string {
  return description.length > MOST_CLAUDE_CODE ? `${description.slice(0, MOST_CLAUDE_CODE - 1)}…` : description;
}
