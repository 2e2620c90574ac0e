import type { Kind } from "./kinds.ts";

export type CommandName =
  | "run"
  | "report"
  | "check"
  | "merge"
  | "grade"
  | "route"
  | "collisions"
  | "init"
  | "see"
  | "runs"
  | "import"
  | "doctor"
  | "worker"
  | "explain"
  | "promote"
  | "view"
  | "compare"
  | "plan"
  | "note";

/**
 * Everything about one option. Flags, `defineConfig` and its schema, PROCTOR_* variables, the record's header,
 * resuming, scoring, the commands that reports propose and docs/configuration.md are derived from it.
 */
export interface OptionFacts {
  kind: Kind;
  /**
   * - `exam`: part of what a run is; resuming refuses another value
   * - `reading`: how scores are read; resuming refuses another value, `proctor report` accepts one
   * - `conduct`: how the run is carried out; may change on resume
   * - `start`: an option of `run()` that is not part of the run and not recorded
   * - `command`: of the command line only
   */
  role: "exam" | "reading" | "conduct" | "start" | "command";
  about: string;
  default?: unknown;
  flag?: string;
  /** Help text if the flag inverts the option (`--no-cache`). */
  flagAbout?: string;
  aboutOn?: Partial<Record<CommandName, string>>;
  /** What a flag without an argument sets. Default: true, or false for `--no-`. */
  flagSets?: string;
  bare?: string;
  commands?: readonly CommandName[];
  group?: string;
  config?: string;
  /** A plain value of the configuration's key means this member. */
  alone?: true;
  /** Given values are added to the configuration's instead of replacing them. */
  adds?: true;
  /** Path in the resolved options and the record's header: `filters.skills`. Never rename it: old records use it. */
  recorded?: string;
  /** Recorded number = option × times. */
  times?: number;
  /** The option has no effect without this other one, and is then neither recorded nor repeated. */
  onlyWith?: string;
  scored?: true;
  repeated?: true;
}

export const QUESTIONS = "Which questions:";
export const RUN_COUNT = "How many runs:";
export const EXECUTION = "How it runs:";
export const SCORING = "How it is scored:";
export const OUTPUT = "Output:";

export const ONLY_RUN = ["run"] as const;
export const PLANNED = ["run", "plan"] as const;
export const ASKING = ["run", "compare", "plan"] as const;
export const GATED = ["run", "report"] as const;
export const SHOWING_OR_CHECK = ["run", "report", "merge", "grade", "compare", "check"] as const;
export const CONFIGURED = [
  ...SHOWING_OR_CHECK,
  ...(["route", "collisions", "init", "see", "runs", "view", "plan", "note"] as const),
] as const;
export const ALL = [...CONFIGURED, "import", "doctor", "worker", "explain", "promote"] as const;
