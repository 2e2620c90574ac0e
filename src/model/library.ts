import type { Problem } from "../base/index.ts";
import type { Skill } from "./skill.ts";

/** Skills that are discoverable together. */
export interface Library {
  /** Absolute path of the folder it was found from. */
  root: string;
  copyOf?: string;
  name: string;
  skills: Skill[];
  /** Covers all cards, folder names and ids, since these can change which skill is activated. */
  fingerprint: string;
  problems: Problem[];
}
