import type { Candidate, Fitted, Listed, ListingOptions, ListingRules, ShownCard, ShownLine } from "../host.ts";

/** Limit on description and when_to_use together; the final "…" of cut text counts. */
export const MOST_SHOWN = 1536;

/** A model with a 200k-token window and one with 1M. */
const [SMALL, LARGE] = ["claude-sonnet-4-5", "claude-opus-5-5"] as const;

export const listing: ListingRules = {
  fit,
  models: [SMALL, LARGE],
  knowsModel: (model) => /^(default|best|opusplan|(claude-)?(opus|sonnet|haiku))\b|^claude-\d/i.test(model),
  aliases: {
    sonnet: "claude-sonnet-5-5",
    opus: "claude-opus-5-5",
    haiku: "claude-haiku-5-5",
    best: "claude-opus-5-5",
    opusplan: "claude-sonnet-5-5",
  },
  bundledCharacters,
  bundled: {
    version: "2.1.325",
    names:
      "dataviz update-config keybindings-help code-review simplify fewer-permission-prompts loop claude-api workflow-authoring run plugin-authoring init security-review".split(
        " ",
      ),
    characters: 6_200,
  },
};

/** The newest version in which models after 4.6 had 200k tokens, unless the model's name asked for more. */
const LAST_SMALL = [2, 1, 260];

/**
 * One line per skill. Names are always listed; descriptions (up to 1,536 characters) are whole or missing. Past use
 * decides which skills keep theirs; a fresh machine has none, so the order of the listing does. Bundled skills always
 * keep theirs.
 */
function fit(candidates: Candidate[], { model = LARGE, version, bundled }: ListingOptions): Fitted {
  const budget = budgetOf(model, version);
  const lines = candidates.map((candidate) => ({
    ...candidate,
    characters: Math.min(candidate.description.length, MOST_SHOWN),
    cut: candidate.description.length > MOST_SHOWN,
  }));
  // The last line has no line break.
  let used = lines.reduce((sum, { name }) => sum + `- ${name}\n`.length, 0) + (bundled?.characters ?? -1);
  const entries = lines.map(({ skill, characters, cut }): Listed => {
    const costs = ": ".length + characters;
    if (characters === 0) return { skill: skill.id, shown: "bare", characters: 0, why: "it has no description" };
    if (used + costs > budget.characters)
      return {
        skill: skill.id,
        shown: "bare",
        characters: 0,
        why: "the budget for descriptions is used up",
        overBudget: true,
      };
    used += costs;
    if (cut)
      return { skill: skill.id, shown: "cut", characters, why: `descriptions are cut at ${MOST_SHOWN} characters` };
    return { skill: skill.id, shown: "whole", characters };
  });
  return { model, budget, used: Math.max(0, used), entries };
}

/** 1 % of the window, at three characters per token, or four for models up to 4.6. */
function budgetOf(model: string, version: string | undefined): { characters: number; how: string } {
  const older = isOlder(model);
  const large = /\[1m\]/i.test(model) || (!older && !isBefore(version));
  return {
    characters: (large ? 1_000_000 : 200_000) * (older ? 4 : 3) * 0.01,
    how: `1 % of a window of ${large ? "1M" : "200k"} tokens`,
  };
}

/** A name without a number, or an unknown one, counts as a current model. */
function isOlder(model: string): boolean {
  const [, major, minor] = /(?:^|[^\d])(\d)(?:[-.](\d))?(?!\d)/.exec(model.replace(/^claude-/, "")) ?? [];
  return major !== undefined && (Number(major) < 4 || (Number(major) === 4 && Number(minor ?? 0) <= 6));
}

function isBefore(version: string | undefined): boolean {
  const parts = version?.split(".").map((part) => Number.parseInt(part, 10)) ?? [];
  const at = LAST_SMALL.findIndex((part, index) => parts[index] !== part);
  // `!`: `at` is an index of LAST_SMALL.
  return version !== undefined && (at < 0 || (parts[at] ?? 0) < LAST_SMALL[at]!);
}

function bundledCharacters({
  characters,
  own,
}: {
  characters: number;
  own: readonly ShownLine[];
  bundled: readonly ShownCard[];
}): number {
  const ours = own.reduce(
    (sum, { line, text }) => sum + `- ${line}\n`.length + (text === undefined ? 0 : `: ${text}`.length),
    0,
  );
  return characters - ours;
}
