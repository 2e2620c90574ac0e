import type { Problem } from "../base/index.ts";

/** What a host shows a model of a skill. */
export interface Card {
  name: string;
  description: string;
  whenToUse?: string;
  /** eva's `triggers` and `not_for`; other hosts have none. */
  triggers: string[];
  notFor: string[];
}

export interface Source {
  /** `skill`: a folder with SKILL.md. `eva`: a prompt folder with meta.yml. */
  kind: "skill" | "eva";
  /** The plugin that ships it, which qualifies its id. */
  plugin?: string;
  /** Other folders in the same library that hold a copy of this very skill (one per host, say). */
  copies: string[];
}

export interface Skill {
  /** Unique in its library: the name, or `plugin:name` where two plugins share a name. */
  id: string;
  name: string;
  /** Absolute path of the folder, and of the file the card comes from. */
  dir: string;
  file: string;
  card: Card;
  /** The text below the frontmatter. */
  body: string;
  frontmatter: Record<string, unknown>;
  /** False when no host would let a model activate it by itself (`disable-model-invocation` and the like). */
  modelInvocable: boolean;
  source: Source;
  problems: Problem[];
}

/** The skills that are discoverable together. */
export interface Library {
  /** Absolute path of the folder it was found from. */
  root: string;
  name: string;
  skills: Skill[];
  /** Of all cards, folder names and ids: what can change who is activated. */
  fingerprint: string;
  problems: Problem[];
}
