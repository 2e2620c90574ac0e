import type { Problem } from "../base/index.ts";
import type { Skill } from "./skill.ts";

/** The skills that are discoverable together. */
export interface Library {
  /** Absolute path of the folder it was found from. */
  root: string;
  /** The root of the library that this one is a copy of. */
  copyOf?: string;
  name: string;
  skills: Skill[];
  /** Of all cards, folder names and ids: what can change who is activated. */
  fingerprint: string;
  problems: Problem[];
}
