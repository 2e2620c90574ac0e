import type { AgentAdapter } from "../../../hosts/index.ts";
import {
  type HostId,
  hostOf,
  type Listing,
  type ListingOptions,
  listing,
  longestDescription,
  type ShownCard,
} from "../../../hosts/index.ts";
import { strings } from "../../../hosts/reading/index.ts";
import type { Library, ListingEntry } from "../../../model/index.ts";
import type { FirstRequest } from "./first-request.ts";
import { matchEntries } from "./match-entries.ts";

export interface Seen {
  host: string;
  title: string;
  version?: string;
  /** Why this was computed from the host's rules; absent if it was seen. */
  computed?: string;
  model: string;
  requestModel?: string;
  /** Unknown model: uses the host's default budget. */
  unknownModel?: true;
  /** Absent if what was seen does not follow from the known rules. */
  budget?: Listing["budget"];
  /** Size of the host's listing, including its own skills. */
  characters: number;
  bundledCharacters: number;
  /**
   * If no description were longer than this, all would be shown whole; 0 if none is short enough. Absent if all are
   * whole, or if it is unknown.
   */
  longest?: number;
  /** Models whose budget shows other descriptions, by the known rules. */
  elsewhere: SeenElsewhere[];
  entries: SeenEntry[];
  bundled: string[];
  text?: string;
}

interface SeenElsewhere {
  model: string;
  characters: number;
  whole: number;
  cut: number;
  bare: number;
}

export interface SeenEntry {
  skill: string;
  shown: ListingEntry["shown"];
  characters: number;
  of: number;
  text?: string;
  why?: string;
}

export interface SeenAs {
  adapter: AgentAdapter;
  version: string;
  model: string;
  library: Library;
}

export function seenIn({ adapter, version, model, library }: SeenAs, first: FirstRequest): Seen {
  const { shown, request } = first;
  const { profile } = adapter;
  const { own, bundled } = matchEntries(library, first, profile);
  const asked = request.model === "" ? undefined : request.model;
  const theirs = {
    names: bundled.map(({ name }) => name),
    characters: bundledCharacters(profile, first, own, bundled),
  };
  // The long window is asked for in a header, not in the name.
  const options = {
    model: `${asked ?? model}${/\[1m\]$/i.exec(model)?.[0] ?? ""}`,
    version,
    bundled: theirs.names.length > 0 ? theirs : undefined,
  };
  const computed = profile === undefined ? undefined : listing(library, profile, options);
  const entries = library.skills.map((skill) => entryOf(skill.id, library, shown.listing, own, computed));
  // One that it dropped for reasons of its own leaves the others more room than the rules say.
  const holds =
    computed !== undefined &&
    entries.every(
      ({ skill, shown: how }) =>
        how === "absent" || computed.entries.find((expected) => expected.skill === skill)?.shown === how,
    );
  const place = ({ skill, shown: how }: SeenEntry) =>
    how === "absent" ? Number.POSITIVE_INFINITY : (own.get(skill)?.index ?? 0);
  const longest = holds ? longestDescription(library, profile!, options) : undefined;
  const text = adapter.listingForm && listingText(request.body, adapter.listingForm);
  return {
    ...head(adapter, model),
    version,
    requestModel: asked,
    ...unknown(profile, asked ?? model),
    budget: holds ? computed.budget : undefined,
    characters: shown.characters,
    bundledCharacters: theirs.characters,
    longest,
    elsewhere: holds ? elsewhere(library, profile, options, entries) : [],
    entries: entries.sort((a, b) => place(a) - place(b)),
    bundled: theirs.names,
    text,
  };
}

export function seenByRules(
  { adapter, model, library, version }: SeenAs,
  why: string,
  hermetic: boolean,
): Seen | undefined {
  const { profile } = adapter;
  if (profile === undefined) return undefined;
  const bundled = hermetic ? undefined : hostOf(profile).listing?.bundled;
  const options = { model, version, bundled };
  const { budget, used, entries } = listing(library, profile, options);
  const longest = longestDescription(library, profile, options);
  const lengths = new Map(library.skills.map(({ id, card }) => [id, card.description.length]));
  return {
    ...head(adapter, model),
    version,
    computed: why,
    requestModel: standsFor(profile, model, version),
    ...unknown(profile, model),
    budget,
    characters: used,
    bundledCharacters: bundled?.characters ?? 0,
    longest,
    elsewhere: elsewhere(library, profile, options, entries),
    entries: entries.map(({ skill, shown, characters, why }) => ({
      skill,
      shown,
      characters,
      of: lengths.get(skill) ?? 0,
      why,
    })),
    bundled: bundled?.names ?? [],
  };
}

function elsewhere(
  library: Library,
  profile: HostId | undefined,
  options: ListingOptions,
  here: readonly Pick<SeenEntry, "skill" | "shown">[],
): SeenElsewhere[] {
  const models = profile === undefined ? [] : (hostOf(profile).listing?.models ?? []);
  const shownHere = new Map(here.map(({ skill, shown }) => [skill, shown]));
  return models.flatMap((model) => {
    const { budget, entries } = listing(library, profile!, { ...options, model });
    // What the host left out for reasons of its own is left out on every model.
    const listed = entries.filter(({ skill }) => shownHere.get(skill) !== "absent");
    if (listed.every(({ skill, shown }) => shown === shownHere.get(skill))) return [];
    const number = (how: string) => listed.filter(({ shown }) => shown === how).length;
    return [
      { model, characters: budget.characters ?? 0, whole: number("whole"), cut: number("cut"), bare: number("bare") },
    ];
  });
}

function standsFor(profile: HostId, model: string, version: string): string | undefined {
  const { aliases, bundled } = hostOf(profile).listing ?? {};
  return version === bundled?.version && Object.hasOwn(aliases ?? {}, model) ? aliases?.[model] : undefined;
}

function head({ id, title }: AgentAdapter, model: string) {
  return { host: id, title, model };
}

function entryOf(
  id: string,
  library: Library,
  listed: ListingEntry[],
  own: ReturnType<typeof matchEntries>["own"],
  computed: Listing | undefined,
): SeenEntry {
  // `!`: entries are made of the skills of the library.
  const skill = library.skills.find((one) => one.id === id)!;
  const match = own.get(id);
  const of = skill.card.description.length;
  const shown =
    match === undefined ? "absent" : (match.shown ?? listed.find((entry) => entry.skill === id)?.shown ?? "absent");
  const expected = computed?.entries.find((entry) => entry.skill === id);
  const text = match?.text;
  const characters = shown === "whole" ? of : shown === "cut" ? (text?.length ?? 0) : 0;
  const why =
    match?.why ??
    (shown === "whole"
      ? noDescription(of, text)
      : (expected?.why ?? (shown === "absent" ? reasonIn(library, id) : undefined)));
  return { skill: id, shown, characters, of, text, why };
}

function noDescription(of: number, text: string | undefined): string | undefined {
  return of === 0 && text !== undefined ? "it has no description: the first lines of its body are shown" : undefined;
}

function reasonIn(library: Library, id: string): string {
  const skill = library.skills.find((one) => one.id === id)!;
  const twin = library.skills.find((one) => one !== skill && one.name.toLowerCase() === skill.name.toLowerCase());
  if (twin !== undefined) return `${twin.id} has the same name, and only that one is listed`;
  return skill.problems[0]?.message ?? "the host does not say why";
}

function bundledCharacters(
  profile: HostId | undefined,
  { shown }: FirstRequest,
  own: ReturnType<typeof matchEntries>["own"],
  bundled: readonly ShownCard[],
): number {
  if (bundled.length === 0) return 0;
  const rule = profile === undefined ? undefined : hostOf(profile).listing?.bundledCharacters;
  if (rule !== undefined) return rule({ characters: shown.characters, own: [...own.values()], bundled });
  return bundled.reduce((sum, { name, text = "" }) => sum + 2 * name.length + text.length + AROUND, 0);
}

/** `- NAME:  (file: r0/NAME/SKILL.md)`, without the names. */
const AROUND = 26;

function unknown(profile: HostId | undefined, model: string): { unknownModel?: true } {
  const knows = profile === undefined ? undefined : hostOf(profile).listing?.knowsModel;
  return knows === undefined || knows(model) ? {} : { unknownModel: true };
}

function listingText(request: unknown, form: RegExp): string | undefined {
  for (const words of strings(request)) {
    const found = form.exec(words)?.[0];
    if (found !== undefined) return found.trim();
  }
  return undefined;
}
