import { basename } from "node:path";
import { MOST_DESCRIPTION } from "../card-on-host.ts";
import type { Candidate, Fitted, Listed } from "./listing.ts";

/** 2 % of a window of 272k tokens, at four characters a token. */
const BUDGET = 21_760;

/** One line a skill. Over the budget every long description is cut to the same length; when not even the names fit, the last are left out. */
export function codexListing(candidates: Candidate[], model = "gpt-6.1-sol"): Fitted {
  const lines = candidates.map(({ skill, name, description }) => ({
    skill,
    frame: `- ${name}:  (file: r0/${basename(skill.dir)}/SKILL.md)\n`.length,
    length: Math.min(description.length, MOST_DESCRIPTION),
    cut: description.length > MOST_DESCRIPTION,
  }));
  const frames = lines.reduce((sum, { frame }) => sum + frame, 0);
  const most = evenLength(
    lines.map(({ length }) => length),
    BUDGET - frames,
  );
  let used = 0;
  const entries = lines.map(({ skill, frame, length, cut }): Listed => {
    const shown = Math.min(length, most);
    if (used + frame + shown > BUDGET)
      return { skill: skill.id, shown: "absent", characters: 0, why: "not even the names fit the budget", overBudget: true };
    used += frame + shown;
    if (shown === 0)
      return { skill: skill.id, shown: "bare", characters: 0, why: "the budget for descriptions is used up", overBudget: true };
    if (shown < length)
      return {
        skill: skill.id,
        shown: "cut",
        characters: shown,
        why: `all long descriptions are cut to about ${most} characters`,
        overBudget: true,
      };
    if (cut) return { skill: skill.id, shown: "cut", characters: shown, why: `descriptions are cut at ${MOST_DESCRIPTION} characters` };
    return { skill: skill.id, shown: "whole", characters: shown };
  });
  return { model, budget: { characters: BUDGET, how: "2 % of a window of 272k tokens" }, used, entries };
}

/** The greatest length to which all may be cut so that they fit together. */
function evenLength(lengths: readonly number[], room: number): number {
  let left = Math.max(0, room);
  const sorted = [...lengths].sort((a, b) => a - b);
  for (const [index, length] of sorted.entries()) {
    const share = Math.floor(left / (sorted.length - index));
    if (length > share) return share;
    left -= length;
  }
  return MOST_DESCRIPTION;
}
