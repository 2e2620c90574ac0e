import { basename } from "node:path";
import type { Bundled, Candidate, Fitted, Listed, ListingOptions, ListingRules } from "../host.ts";
import { MOST_DESCRIPTION } from "../spec/fields.ts";

export const listing: ListingRules = {
  fit,
  knowsModel: (model) => /^(gpt-|o\d|codex)/i.test(model),
  cutsBundled: true,
  bundled: {
    version: "0.166.0",
    names: ["imagegen", "openai-docs", "skill-creator", "skill-installer"],
    characters: 1_558,
  },
};

/** 2 % of a 272k-token window. A token counts as four characters, rounded up per line. */
const TOKENS = 5_440;
const PER_TOKEN = 4;

interface Line {
  frame: number;
  length: number;
}

/**
 * One line per skill. Over budget, all long descriptions are cut to nearly the same length; if even the names do not
 * fit, the last skills are left out.
 */
function fit(candidates: Candidate[], { model = "gpt-6.1-sol", bundled }: ListingOptions): Fitted {
  const lines = candidates.map(({ skill, name, description }) => ({
    skill,
    frame: frameOf(name, basename(skill.dir)),
    length: Math.min(description.length, MOST_DESCRIPTION),
    cut: description.length > MOST_DESCRIPTION,
  }));
  const own = ownLines(bundled);
  const room = shares([...own, ...lines]).slice(own.length);
  let used = own.reduce((sum, line) => sum + tokens(line.frame), 0);
  const entries = lines.map(({ skill, frame, length, cut }, index): Listed => {
    // `!`: `room` has one entry per line.
    const shown = Math.min(length, room[index]!);
    if (used + tokens(frame + shown) > TOKENS)
      return {
        skill: skill.id,
        shown: "absent",
        characters: 0,
        why: "not even the names fit the budget",
        overBudget: true,
      };
    used += tokens(frame + shown);
    if (length > 0 && shown === 0)
      return {
        skill: skill.id,
        shown: "bare",
        characters: 0,
        why: "the budget for descriptions is used up",
        overBudget: true,
      };
    if (shown < length)
      return {
        skill: skill.id,
        shown: "cut",
        characters: shown,
        why: `all long descriptions are cut to about ${shown} characters`,
        overBudget: true,
      };
    if (cut)
      return {
        skill: skill.id,
        shown: "cut",
        characters: shown,
        why: `descriptions are cut at ${MOST_DESCRIPTION} characters`,
      };
    return { skill: skill.id, shown: "whole", characters: shown };
  });
  return {
    model,
    budget: { characters: TOKENS * PER_TOKEN, how: "for the lines of skills: 2 % of a window of 272k tokens" },
    used: used * PER_TOKEN,
    entries,
  };
}

/**
 * Characters available to each description: tokens are handed out one at a time, in turn, to all lines that need more.
 */
function shares(lines: readonly Line[]): number[] {
  // `!`: both lists have one entry per line.
  const given = lines.map(({ frame }) => tokens(frame));
  let left = TOKENS - given.reduce((sum, count) => sum + count, 0);
  const needed = lines.map(({ frame, length }) => tokens(frame + length));
  while (left > 0) {
    const short = lines.flatMap((_, index) => (given[index]! < needed[index]! ? [index] : [])).slice(0, left);
    if (short.length === 0) break;
    for (const index of short) given[index]!++;
    left -= short.length;
  }
  return lines.map(({ frame }, index) => given[index]! * PER_TOKEN - frame);
}

function ownLines(bundled: Bundled | undefined): Line[] {
  const { names, characters } = bundled ?? { names: [], characters: 0 };
  const frames = names.map((name) => frameOf(name, name));
  const length = Math.max(
    0,
    Math.floor((characters - frames.reduce((sum, frame) => sum + frame, 0)) / Math.max(1, names.length)),
  );
  return frames.map((frame) => ({ frame, length }));
}

function frameOf(name: string, folder: string): number {
  return `- ${name}:  (file: r0/${folder}/SKILL.md)\n`.length;
}

function tokens(characters: number): number {
  return Math.ceil(characters / PER_TOKEN);
}
