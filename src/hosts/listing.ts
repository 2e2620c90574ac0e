import type { Library } from "../model/index.ts";
import { cardOf } from "./card.ts";
import { hostOf } from "./find-host.ts";
import type { Bundled, Candidate, Fitted, Host, HostId, Listed, Listing, ListingOptions } from "./host.ts";

/**
 * Computes what a host shows of a library's skills, in the host's order. Unlisted skills come last, with the reason.
 */
export function listing(library: Library, id: HostId, options: ListingOptions = {}): Listing {
  const host = hostOf(id);
  const { candidates, absent } = candidatesOf(library, host);
  const fitted = fitTo(candidates, host, options);
  return { host: id, computed: true, ...fitted, entries: [...fitted.entries, ...absent] };
}

/**
 * The greatest length at which no description is lost to the host's budget if all longer ones are shortened to it; 0 if
 * no length is short enough, undefined if nothing is lost as it is.
 */
export function longestDescription(library: Library, id: HostId, options: ListingOptions = {}): number | undefined {
  const host = hostOf(id);
  const fits = (most: number) => {
    const shortened = shortenedTo(most, library, host);
    const bundled = options.bundled && asLongAs(options.bundled, host, most);
    return fitTo(shortened, host, { ...options, bundled }).entries.every(({ overBudget }) => !overBudget);
  };
  if (listing(library, id, options).entries.every(({ overBudget }) => !overBudget)) return undefined;
  let [short, long] = [0, LONGEST];
  while (long - short > 1) {
    const middle = Math.floor((short + long) / 2);
    if (fits(middle)) short = middle;
    else long = middle;
  }
  return short;
}

const LONGEST = 1536;

/** Includes skills that are unlisted only because their description is too long. */
function shortenedTo(most: number, library: Library, host: Host): Candidate[] {
  const skills = library.skills.map((skill) => ({
    ...skill,
    card: { ...skill.card, description: skill.card.description.slice(0, most) },
  }));
  const { candidates } = candidatesOf({ ...library, skills }, host);
  return candidates.map((candidate) => ({ ...candidate, description: candidate.description.slice(0, most) }));
}

/** If the host cuts bundled skills too, they may take as much room as descriptions of this length. */
function asLongAs({ names, characters }: Bundled, host: Host, length: number): Bundled {
  const longest = names.reduce((sum, name) => sum + 2 * name.length + length + FRAME, 0);
  return { names, characters: host.listing?.cutsBundled ? Math.max(characters, longest) : characters };
}

const FRAME = 40;

function candidatesOf(library: Library, host: Host): { candidates: Candidate[]; absent: Listed[] } {
  const candidates: Candidate[] = [];
  const absent: Listed[] = [];
  for (const skill of library.skills) {
    const card = cardOf(skill, host);
    if (card.status === "absent") absent.push({ skill: skill.id, shown: "absent", characters: 0, why: card.why });
    else candidates.push({ skill, name: card.name, description: card.description });
  }
  candidates.sort((a, b) => compare(a.name.toLowerCase(), b.name.toLowerCase()) || compare(a.skill.id, b.skill.id));
  return { candidates, absent };
}

function fitTo(candidates: Candidate[], host: Host, options: ListingOptions): Fitted {
  return host.listing === undefined ? everything(candidates, options.model) : host.listing.fit(candidates, options);
}

function everything(candidates: Candidate[], model = ""): Fitted {
  const entries = candidates.map(
    ({ skill, description }): Listed => ({ skill: skill.id, shown: "whole", characters: description.length }),
  );
  const used = candidates.reduce((sum, { name, description }) => sum + name.length + description.length, 0);
  return {
    model,
    budget: { characters: null, how: "no limit was seen: every description is listed in full" },
    used,
    entries,
  };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
