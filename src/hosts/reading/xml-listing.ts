import type { ListingEntry } from "../../model/index.ts";
import type { SessionFile, ShownSkills } from "../adapter.ts";
import { unescapeEntities } from "./entities.ts";
import { LISTING } from "./request-facts.ts";
import type { StagedSkills } from "./staged-skills.ts";

export const XML_LISTING = /<available_skills>\s*<skill>[\s\S]*?<\/available_skills>/;

export function skillsBlock(prompt: string): string {
  const blocks = [...prompt.matchAll(/<available_skills>[\s\S]*?<\/available_skills>/g)].map((found) => found[0]);
  return blocks.find((candidate) => candidate.includes("<skill>")) ?? "";
}

interface Cards extends Pick<ShownSkills, "characters"> {
  entries: (ShownSkills["entries"][number] & { file: string | undefined })[];
}

export function skillCards(prompt: string): Cards {
  const block = skillsBlock(prompt);
  const entries = [...block.matchAll(/<skill>([\s\S]*?)<\/skill>/g)].map(([, card = ""]) => ({
    name: unescapeEntities(element(card, "name") ?? ""),
    text: element(card, "description") || undefined,
    file: element(card, "location"),
  }));
  return { entries, characters: Math.max(0, block.length - "<available_skills></available_skills>".length) };
}

export function shownIn(prompt: string, staged: StagedSkills): ShownSkills {
  const { entries, characters } = skillCards(prompt);
  return { entries, characters, listing: staged.listed(entries) };
}

export function keptListing(files: readonly SessionFile[], staged: StagedSkills): { listing?: ListingEntry[] } {
  const kept = files.find(({ path }) => path === LISTING);
  return kept === undefined ? {} : { listing: shownIn(kept.text, staged).listing };
}

function element(xml: string, name: string): string | undefined {
  return new RegExp(`<${name}>([\\s\\S]*?)</${name}>`).exec(xml)?.[1]?.trim();
}
