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
  /** The plugin that ships the skill; it qualifies the id. */
  plugin?: string;
  /** Other folders of the library with an identical copy (one per host, for example). */
  copies: string[];
}

export interface Skill {
  /** Unique in its library: the name, or `plugin:name` if two plugins share a name. */
  id: string;
  name: string;
  /** Absolute paths of the folder and of the file with the card. */
  dir: string;
  file: string;
  /** The folder its library was found from; the skill's links are followed within it. Default: its own folder. */
  root?: string;
  card: Card;
  body: string;
  frontmatter: Record<string, unknown>;
  /** False if no host lets a model activate it (`disable-model-invocation` and similar settings). */
  modelInvocable: boolean;
  source: Source;
  /** Absolute paths of files in its folder with questions about skills. No examinee may read them. */
  exam?: readonly string[];
  /** Problems found while reading it. `checkSkills` reports them too. */
  problems: Problem[];
  /** How its file is written, for the lint; absent if the skill does not come from a file. */
  reading?: SkillText;
}

/** A UTF-16 range of a file's text. Lines and columns are computed only for reported problems. */
export interface Place {
  start: number;
  end: number;
}

export interface Field {
  key: Place;
  /** The whole value including quotes; the key's place if there is no value. */
  value: Place;
  style: "plain" | "quoted" | "block" | "other";
  /** A comment on the line of a plain value. Hosts do not see this text. */
  comment?: string;
}

export interface Repair {
  field: string;
  /** `quote`: an opening quote is not closed, or closed too early. Only the author knows where it belongs. */
  why: "colon" | "quote" | "other";
  message: string;
  place: Place;
  edit: Edit;
}

interface SkillText {
  text: string;
  bom: boolean;
  header: string;
  fields: Map<string, Field>;
  repairs: Repair[];
  bodyStart: number;
  /** `agents/openai.yaml` of the folder, or why it cannot be read. */
  openai?: Record<string, unknown>;
  openaiFault?: { message: string; location: Location };
}
