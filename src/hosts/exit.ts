import type { Resources } from "../model/index.ts";

/** Why we ended a process. A killed CLI may well report success. */
export type StopReason =
  | "decided"
  | "max_turns"
  | "abort"
  | "first_event"
  | "timeout"
  | "flood"
  | "disk"
  | "processes"
  | "failing";

/** How the process of a CLI ended. */
export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** Set when we ended it. */
  stopped?: StopReason;
  /** It could not be started at all. */
  failed?: Error;
  /** The end of what it wrote to stderr. */
  stderr: string;
  ms: number;
  /** Where they could be measured. */
  resources?: Resources;
}
