import type { Location } from "../base/index.ts";
import type { Skill } from "../model/index.ts";
import type { HostAdapter } from "./adapter.ts";
import type { HostRule } from "./rules.ts";

/** The name of a host on the command line: `proctor check --host claude-code`. */
export type HostId = string;

/**
 * A place where skills are used: a CLI, claude.ai, or the specification itself. It imports nothing heavy, so that help and checks are
 * quick; how its CLI is driven is loaded when an agent is asked.
 */
export interface Host {
  id: HostId;
  /** As people call it, in the middle of a sentence. */
  title: string;
  /** `check` reports it only where it is asked for by name. */
  onRequest?: true;
  card: CardRules;
  /** How it fits many skills into its prompt. Absent: it was seen to list everything. */
  listing?: ListingRules;
  lint: LintFacts;
  /** The frontmatter fields it reads beyond the specification's. */
  fields?: Readonly<Record<string, HostField>>;
  /** Absent: it has no CLI that could be asked. */
  agent?: AgentFacts;
  /** Its own hidden folders in a project: a skill in one of them is meant for it, or is a copy for it. */
  folders?: readonly string[];
  /** What it picks up on its own from the folder it works in: no suite may stage such a file. */
  ownFiles?: OwnFiles;
}

export interface OwnFiles {
  /** Files, and folders with all that is in them, at any depth; with a slash in front, at the workspace's root alone. */
  paths: readonly string[];
  /** Where that is known from. */
  source: string;
}

/** What it makes of one skill, as observed. */
interface CardRules {
  /** Why it does not list the skill; undefined when it does. */
  absence(skill: Skill): string | undefined;
  /** What it calls the skill; the skill's own name unless said. */
  name?(skill: Skill): string;
  /** What it shows; the skill's own description unless said. */
  description?(skill: Skill): string;
}

export interface ListingRules {
  /** What of these cards it shows, in its order. */
  fit(candidates: Candidate[], options: ListingOptions): Fitted;
  /** A model for every size of budget that people meet, where budgets differ: `check` reports each. */
  models?: readonly string[];
  /** Whether it has a budget of its own for this model, and not the one for models that it does not know. */
  knowsModel?(model: string): boolean;
  /** Which model it asks when it is given a short name, as seen in the version of `bundled`. */
  aliases?: Readonly<Record<string, string>>;
  /** Its own skills as they were seen, in the newest version that was: they share the listing with the user's, except in trials. */
  bundled?: Bundled;
  /** Characters that its bundled skills take from the others. */
  bundledCharacters?(shown: { characters: number; own: readonly ShownLine[]; bundled: readonly ShownCard[] }): number;
  /** It cuts its bundled skills as it cuts all others. */
  cutsBundled?: true;
}

export interface Listed {
  /** The skill's id. */
  skill: string;
  shown: "whole" | "cut" | "bare" | "absent";
  /** Characters of its description that are shown. */
  characters: number;
  why?: string;
  /** The library is too large for the host; the skill itself is fine. */
  overBudget?: true;
}

/** What a host will show a model of a library. */
export interface Listing {
  host: HostId;
  model: string;
  /** Worked out from the host's rules as they were observed, not seen in a run. */
  computed: true;
  /** null: the host was seen to list everything. */
  budget: { characters: number | null; how: string };
  used: number;
  entries: Listed[];
}

/** A card on its way into a listing. */
export interface Candidate {
  skill: Skill;
  name: string;
  description: string;
}

export type Fitted = Omit<Listing, "host" | "computed" | "entries"> & { entries: Listed[] };

/** The host's own skills in the same listing: their names, and the characters they take together. */
export interface Bundled {
  /** Of the host, in which they were seen. */
  version?: string;
  names: string[];
  characters: number;
}

export interface ListingOptions {
  model?: string | undefined;
  /** Of the host; its newest rules unless said. */
  version?: string | undefined;
  bundled?: Bundled | undefined;
}

export interface ShownCard {
  name: string;
  text: string | undefined;
}

export interface ShownLine {
  /** The name it has there. */
  line: string;
  text: string | undefined;
}

/** What it does with skills that are not as they should be. What is absent is not known, and not told. */
export interface LintFacts {
  /** Descriptions longer than `most`; `shown` = it shows all of any. */
  longDescription?: "shown" | { most: number; are: "forbidden" | "dropped" | "refused" | "cut" };
  withoutDescription?: "dropped" | "unlisted" | "replaced by the body";
  /** A skill must have a name. Where it has none: whether the folder's is taken. */
  name?: { required?: true; folderInstead?: true; tooLong?: "dropped" };
  /** A skill and its folder must have the same name. */
  folderNamedLikeSkill?: true;
  /** Which name it goes by, outside plugins. */
  calledBy?: "folder" | "name";
  /** What it makes of a name that the specification does not allow. */
  oddName?(skill: Skill): OddName;
  byteOrderMark?: "dropped" | "loaded";
  /** A value with an unquoted colon, and other values that are not YAML. `forbidden`: it is not said what happens. */
  invalidYaml?: "forbidden" | Record<"colon" | "other", "dropped" | "loaded">;
  /** Frontmatter that cannot be read at all. */
  brokenFrontmatter?: "dropped";
  /** Only this very file name is a skill's, on any disk. */
  exactFileName?: true;
  /** The folders it finds skills in, and how deep. */
  skillFolders?: Readonly<Record<string, "one level" | "any depth">>;
  /** It refuses keys outside the specification. */
  refusesOtherKeys?: true;
  disableModelInvocation?: "honoured" | "ignored";
  /** What it does with `hooks` in the frontmatter and with !`commands` in the text of a skill that is loaded. Absent: not known, so it may run them. */
  commandsOfSkills?: "run" | "inert";
  /** What only this host minds. */
  own?(skills: readonly Skill[], asked: AskedHosts): Finding[];
}

export type OddName =
  | { does: "drops" }
  | { does: "renames"; to: string }
  | { does: "goes by the folder" }
  | { does: "takes it" };

/** Whose rules a check applies. */
export interface AskedHosts {
  hosts: readonly Host[];
  /** The hosts were asked for by name: what only one of them minds is then an error, not a note. */
  chosen: boolean;
}

/** What a host's own rule finds: one problem, at a key of the frontmatter, at its value, elsewhere, or at the file as such. */
export interface Finding {
  code: HostRule;
  severity?: "error" | "warning" | "info";
  message: string;
  fix: string;
  skill: Skill;
  at?: { key: string } | { value: string } | Location;
}

export interface HostField {
  kind: "text" | "boolean" | "texts" | "map" | "any";
  /** What it means for the skill being activated. */
  triggering: string;
}

/** What must be known of a CLI before its adapter is loaded. */
export interface AgentFacts {
  /** The word before the colon in a target: `claude:haiku`. */
  id: string;
  /** It can be kept from every tool, so that it only speaks: `judge:cli/claude`. */
  judges?: true;
  /** Files and folders through which it picks up instructions from a folder above its workspace. */
  takesUp: readonly string[];
  load(): Promise<HostAdapter>;
}
