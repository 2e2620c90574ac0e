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
 * All that is known about one option. Flags, `defineConfig` and its schema, PROCTOR_* variables, the record's header, resuming,
 * scoring, the commands that a report proposes and docs/configuration.md are derived from it.
 */
export interface OptionFacts {
  kind: Kind;
  /**
   * - `exam`: part of what a run is; resuming refuses another value
   * - `reading`: how its scores are read; resuming refuses another value, `proctor report` takes one
   * - `conduct`: how it is carried out; may change when it is resumed
   * - `start`: an option of `run()` that is no part of the run, and not recorded
   * - `command`: of the command line alone
   */
  role: "exam" | "reading" | "conduct" | "start" | "command";
  /** A phrase for help, schema and docs. The default is added to it. */
  about: string;
  default?: unknown;
  /** As commander writes it: short form, argument, `--no-`. */
  flag?: string;
  /** Help text if the flag inverts the option (`--no-cache`). */
  flagAbout?: string;
  /** Help text on commands that mean something else by it. */
  aboutOn?: Partial<Record<CommandName, string>>;
  /** What a flag without an argument sets; otherwise true, or false for `--no-`. */
  flagSets?: string;
  /** What the flag means when its optional argument is left out. */
  bare?: string;
  commands?: readonly CommandName[];
  /** Its heading in `proctor run --help`. */
  group?: string;
  /** The key in the configuration, or a member of one: `budget.usd`. */
  config?: string;
  /** A plain value of the configuration's key means this member. */
  alone?: true;
  /** Values given are added to the configuration's instead of replacing them. */
  adds?: true;
  /** Its path in the resolved options and the record's header: `filters.skills`. Never rename one: old records are read by it. */
  recorded?: string;
  /** The factor between the option and the recorded number. */
  times?: number;
  /** Without this other option it means nothing, and is neither recorded nor repeated. */
  onlyWith?: string;
  /** Scoring reads it back from the header. */
  scored?: true;
  /** A command that is to mean the same exam must repeat it. */
  repeated?: true;
}

/** Headings of `proctor run --help`. */
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
