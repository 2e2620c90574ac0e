import { cardOnHost, type HostId, type ShownCard } from "../../../hosts/index.ts";
import { unescapeEntities } from "../../../hosts/reading/index.ts";
import type { Library, ListingEntry, Skill } from "../../../model/index.ts";
import type { FirstRequest } from "./first-request.ts";

export interface Matched {
  index: number;
  line: string;
  text: string | undefined;
  /** Set if several skills share the name, so that the name does not tell whose line it is. */
  shown?: ListingEntry["shown"];
  why?: string;
}

/** Maps entries of a host's listing to skills. Among skills with the same name, the description decides. */
export function matchEntries(
  library: Library,
  { shown, ids }: Pick<FirstRequest, "shown" | "ids">,
  profile: HostId | undefined,
): { own: Map<string, Matched>; bundled: ShownCard[] } {
  const own = new Map<string, Matched>();
  const bundled: ShownCard[] = [];
  const names = new Map(library.skills.map((skill) => [skill.id, namesOf(skill, profile)]));
  for (const [index, { name, text }] of shown.entries.entries()) {
    // `!`: every skill has its names.
    const called = library.skills.filter(({ id }) => ids.get(name) === id || names.get(id)!.includes(name));
    const free = called.filter(({ id }) => !own.has(id));
    const skill = free.find(({ card }) => isOf(text, card.description)) ?? free[0];
    if (called.length === 0) bundled.push({ name, text });
    if (skill === undefined) continue;
    const told = called.length > 1 ? { shown: howShown(text, skill.card.description) } : {};
    own.set(skill.id, { index, line: names.get(skill.id)!.at(-1) ?? name, text, ...told });
  }
  return { own, bundled };
}

function namesOf(skill: Skill, profile: HostId | undefined): string[] {
  const card = profile === undefined ? undefined : cardOnHost(skill, profile);
  return card?.status === "listed" ? [card.name] : [];
}

function isOf(text: string | undefined, description: string): boolean {
  return (
    text !== undefined &&
    description !== "" &&
    (plain(description).startsWith(plain(text).replace(/(…|\.\.\.)$/, "")) ||
      plain(text).startsWith(plain(description)))
  );
}

function howShown(text: string | undefined, description: string): ListingEntry["shown"] {
  if (text === undefined) return "bare";
  // Some hosts add a word of their own.
  return plain(text).startsWith(plain(description)) ? "whole" : "cut";
}

function plain(text: string): string {
  return unescapeEntities(text).replace(/\s+/g, " ").trim();
}
