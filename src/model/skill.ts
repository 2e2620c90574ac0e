import type { Edit, Location, Problem } from "../base/index.ts";

/** What a host shows a model of a skill. */
export interface Card {
  name: string;
  description: string;
  whenToUse?: string;
  /** eva's `triggers` and `not_for`; other hosts have none. */
  triggers: string[];
  notFor: string[];
}

interface Source {
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
  /** The folder its library was found from: links of the skill are followed within it. Its own folder unless said. */
  root?: string;
  card: Card;
  /** The text below the frontmatter. */
  body: string;
  frontmatter: Record<string, unknown>;
  /** False when no host would let a model activate it on its own (`disable-model-invocation` and similar settings). */
  modelInvocable: boolean;
  source: Source;
  /** Absolute paths of files in its folder that hold questions about skills, whatever their names. No examinee may read them. */
  exam?: readonly string[];
  /** What was wrong with reading it. `checkSkills` reports these too. */
  problems: Problem[];
  /** How its file is written, for the lint; absent when the skill does not come from a file. */
  reading?: SkillText;
}

/** A UTF-16 range of a file's text. Lines and columns are worked out only for what becomes a problem. */
export interface Place {
  start: number;
  end: number;
}

/** One top-level entry of the frontmatter. */
export interface Field {
  key: Place;
  /** Of the whole value, quotes included; the place of the key when there is no value. */
  value: Place;
  style: "plain" | "quoted" | "block" | "other";
  /** A comment on the line of a plain value: text that no host sees. */
  comment?: string;
}

/** A value that is not valid YAML and was read as the text it is. */
export interface Repair {
  field: string;
  /** `quote`: it begins with a quote that is not closed, or closed too early; only its author knows where it belongs. */
  why: "colon" | "quote" | "other";
  message: string;
  place: Place;
  /** The value with the quotes it needs. */
  edit: Edit;
}

interface SkillText {
  /** The whole file, BOM included. */
  text: string;
  bom: boolean;
  /** The frontmatter as it is written, without its fences. */
  header: string;
  fields: Map<string, Field>;
  repairs: Repair[];
  /** Where the body starts in the text. */
  bodyStart: number;
  /** `agents/openai.yaml` of the folder, or why it cannot be read. */
  openai?: Record<string, unknown>;
  openaiFault?: { message: string; location: Location };
}
