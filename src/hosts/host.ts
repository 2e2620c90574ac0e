import type { Location } from "../base/index.ts";
import type { Skill } from "../model/index.ts";
import type { HostAdapter } from "./adapter.ts";
import type { HostRule } from "./rules.ts";

/** As in `proctor check --host claude-code`. */
export type HostId = string;

/**
 * A place where skills are used: a CLI, claude.ai, or the specification itself. It imports nothing heavy, so that help and checks are
 * quick; how its CLI is driven is loaded when an agent is asked.
 */
export interface Host {
  id: HostId;
  /** As written in the middle of a sentence. */
  title: string;
  /** `check` includes it only if it is named. */
  onRequest?: true;
  card: CardRules;
  /** How it fits many skills into its prompt. Omit if it lists everything. */
  listing?: ListingRules;
  lint: LintFacts;
  /** Frontmatter fields beyond the specification's. */
  fields?: Readonly<Record<string, HostField>>;
  /** Omit if it has no CLI to ask. */
  agent?: AgentFacts;
  /** Its own hidden folders in a project: a skill in one of them is meant for it, or is a copy for it. */
  folders?: readonly string[];
  /** Files it reads from its working folder without being asked: no suite may stage one. */
  ownFiles?: OwnFiles;
}

export interface OwnFiles {
  /** Files and folders at any depth; with a leading slash, only at the workspace's root. */
  paths: readonly string[];
  source: string;
}

/** How it shows one skill, as observed. */
interface CardRules {
  /** Why it does not list the skill; undefined if it does. */
  absence(skill: Skill): string | undefined;
  /** Default: the skill's own name. */
  name?(skill: Skill): string;
  /** Default: the skill's own description. */
  description?(skill: Skill): string;
}

export interface ListingRules {
  /** What it shows of these cards, in its order. */
  fit(candidates: Candidate[], options: ListingOptions): Fitted;
  /** One model per size of budget, if budgets differ: `check` reports each. */
  models?: readonly string[];
  /** False if the model gets the default budget for unknown models. */
  knowsModel?(model: string): boolean;
  /** The models behind short names, as seen in the version of `bundled`. */
  aliases?: Readonly<Record<string, string>>;
  /** Its own skills in the newest version seen. They share the listing with the user's, except in trials. */
  bundled?: Bundled;
  /** Characters of the budget that its bundled skills take. */
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

/** The host's own skills in the same listing, and the characters they take together. */
export interface Bundled {
  /** The host's version in which they were seen. */
  version?: string;
  names: string[];
  characters: number;
}

export interface ListingOptions {
  model?: string | undefined;
  /** The host's version; default: its newest rules. */
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

/** What it does with faulty skills. Omit what is unknown: `check` then says nothing about it. */
export interface LintFacts {
  /** What happens to descriptions longer than `most`; `shown`: all of it is shown. */
  longDescription?: "shown" | { most: number; are: "forbidden" | "dropped" | "refused" | "cut" };
  withoutDescription?: "dropped" | "unlisted" | "replaced by the body";
  /** Whether a name is required, and whether the folder's stands in for a missing one. */
  name?: { required?: true; folderInstead?: true; tooLong?: "dropped" };
  folderNamedLikeSkill?: true;
  /** The name it uses, outside plugins. */
  calledBy?: "folder" | "name";
  /** How it treats a name that the specification forbids. */
  oddName?(skill: Skill): OddName;
  byteOrderMark?: "dropped" | "loaded";
  /** How it treats an unquoted colon, and other invalid YAML. `forbidden`: without saying what happens. */
  invalidYaml?: "forbidden" | Record<"colon" | "other", "dropped" | "loaded">;
  brokenFrontmatter?: "dropped";
  /** It requires the exact case of SKILL.md, even on a case-insensitive disk. */
  exactFileName?: true;
  /** The folders it searches for skills, and how deep. */
  skillFolders?: Readonly<Record<string, "one level" | "any depth">>;
  refusesOtherKeys?: true;
  disableModelInvocation?: "honoured" | "ignored";
  /** What it does with `hooks` in the frontmatter and with !`commands` in the text of a skill that is loaded. Absent: not known, so it may run them. */
  commandsOfSkills?: "run" | "inert";
  /** Checks that only this host needs. */
  own?(skills: readonly Skill[], asked: AskedHosts): Finding[];
}

export type OddName =
  | { does: "drops" }
  | { does: "renames"; to: string }
  | { does: "goes by the folder" }
  | { does: "takes it" };

/** The hosts whose rules a check applies. */
export interface AskedHosts {
  hosts: readonly Host[];
  /** They were named by the user: what only one of them minds is then an error, not a note. */
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
  /** Its effect on whether the skill is activated. */
  triggering: string;
}

/** The facts about a CLI that are needed before its adapter is loaded. */
export interface AgentFacts {
  /** As in the target `claude:haiku`. */
  id: string;
  /** It can run without any tool, and so serve as a judge: `judge:cli/claude`. */
  judges?: true;
  /** Files and folders it would also read from a folder above its workspace. */
  takesUp: readonly string[];
  load(): Promise<HostAdapter>;
}
