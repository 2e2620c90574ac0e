import type { Location } from "../base/index.ts";
import type { Skill } from "../model/index.ts";
import type { HostAdapter } from "./adapter.ts";
import type { HostRule } from "./rules.ts";

export type HostId = string;

/**
 * A place where skills are used: a CLI, claude.ai, or the specification itself. Imports nothing heavy, so that help and
 * checks are fast; the adapter is loaded when an agent is asked.
 */
export interface Host {
  id: HostId;
  /** As written in the middle of a sentence. */
  title: string;
  onRequest?: true;
  card: CardRules;
  listing?: ListingRules;
  lint: LintFacts;
  fields?: Readonly<Record<string, HostField>>;
  agent?: AgentFacts;
  /** Its own hidden folders in a project. A skill in one of them is meant for this host, or is a copy for it. */
  folders?: readonly string[];
  /** Files it reads from its working directory unasked; no suite may stage one. */
  ownFiles?: OwnFiles;
}

export interface OwnFiles {
  /** Files and folders at any depth; with a leading slash, only at the workspace's root. */
  paths: readonly string[];
  source: string;
}

interface CardRules {
  absence(skill: Skill): string | undefined;
  name?(skill: Skill): string;
  description?(skill: Skill): string;
}

export interface ListingRules {
  fit(candidates: Candidate[], options: ListingOptions): Fitted;
  /** One model per budget size, if budgets differ: `check` reports each. */
  models?: readonly string[];
  /** False if the model gets the default budget for unknown models. */
  knowsModel?(model: string): boolean;
  aliases?: Readonly<Record<string, string>>;
  /** Bundled skills of the newest version seen. They share the listing with the user's, except in trials. */
  bundled?: Bundled;
  bundledCharacters?(shown: { characters: number; own: readonly ShownLine[]; bundled: readonly ShownCard[] }): number;
  cutsBundled?: true;
}

export interface Listed {
  skill: string;
  shown: "whole" | "cut" | "bare" | "absent";
  characters: number;
  why?: string;
  /** The library is too large for the host; the skill itself is fine. */
  overBudget?: true;
}

export interface Listing {
  host: HostId;
  model: string;
  /** Derived from the host's observed rules, not seen in a run. */
  computed: true;
  /** null: no limit was observed. */
  budget: { characters: number | null; how: string };
  used: number;
  entries: Listed[];
}

export interface Candidate {
  skill: Skill;
  name: string;
  description: string;
}

export type Fitted = Omit<Listing, "host" | "computed" | "entries"> & { entries: Listed[] };

export interface Bundled {
  version?: string;
  names: string[];
  characters: number;
}

export interface ListingOptions {
  model?: string | undefined;
  version?: string | undefined;
  bundled?: Bundled | undefined;
}

export interface ShownCard {
  name: string;
  text: string | undefined;
}

export interface ShownLine {
  line: string;
  text: string | undefined;
}

/** How it treats faulty skills. Omit what is unknown: `check` then reports nothing. */
export interface LintFacts {
  longDescription?: "shown" | { most: number; are: "forbidden" | "dropped" | "refused" | "cut" };
  withoutDescription?: "dropped" | "unlisted" | "replaced by the body";
  name?: { required?: true; folderInstead?: true; tooLong?: "dropped" };
  folderNamedLikeSkill?: true;
  /** The name it uses, outside plugins. */
  calledBy?: "folder" | "name";
  oddName?(skill: Skill): OddName;
  byteOrderMark?: "dropped" | "loaded";
  /**
   * Treatment of an unquoted colon and of other invalid YAML. `forbidden`: not allowed, but the effect is unspecified.
   */
  invalidYaml?: "forbidden" | Record<"colon" | "other", "dropped" | "loaded">;
  brokenFrontmatter?: "dropped";
  /** It requires the exact case of SKILL.md even on a case-insensitive disk. */
  exactFileName?: true;
  skillFolders?: Readonly<Record<string, "one level" | "any depth">>;
  refusesOtherKeys?: true;
  disableModelInvocation?: "honoured" | "ignored";
  /**
   * Whether it runs `hooks` in the frontmatter and !`commands` in the text of a loaded skill. Omit if unknown: it may
   * run them.
   */
  commandsOfSkills?: "run" | "inert";
  own?(skills: readonly Skill[], asked: AskedHosts): Finding[];
}

export type OddName =
  | { does: "drops" }
  | { does: "renames"; to: string }
  | { does: "goes by the folder" }
  | { does: "takes it" };

export interface AskedHosts {
  hosts: readonly Host[];
  /** The user named them: a problem for just one of them is then an error, not a note. */
  chosen: boolean;
}

/** A problem found by a host's own check. Without `at` it concerns the whole file. */
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
  triggering: string;
}

export interface AgentFacts {
  id: string;
  judges?: true;
  /** Files and folders it would also read from parents of its workspace. */
  takesUp: readonly string[];
  load(): Promise<HostAdapter>;
}
