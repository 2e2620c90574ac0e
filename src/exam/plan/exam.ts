import type { Problem } from "../../base/index.ts";
import type { ExamOptions, RunSettings, TargetSettings } from "../../base/options/index.ts";
import type { Library, Suite } from "../../model/index.ts";
import type { ModelOptions, resolveTarget, TargetDefinition } from "../../targets/index.ts";
import type { Where } from "./gather/find-questions.ts";
import type { Plan } from "./plan.ts";
import type { PlannedTarget } from "./planned-ask.ts";
import type { LibraryAt } from "./revision/library-at.ts";

export interface ExamRequest extends Where {
  defined?: readonly TargetDefinition[];
  flags?: RunSettings;
  env?: NodeJS.ProcessEnv;
  /** Used instead of `resolveTarget`, for targets that are not on this machine. */
  resolve?: typeof resolveTarget;
  revision?: LibraryAt;
}

export interface Exam {
  library: Library;
  targets: PlannedTarget[];
  settings: ReadonlyMap<string, TargetSettings>;
  options: ExamOptions;
  plan: Plan;
  /** Filters of this run; empty if everything is asked. */
  partial: string[];
  paths?: string[];
  /** Flags to repeat so that another command means the same exam. */
  said: string[];
  /** The folder that holds `.proctor`. */
  home: string;
  /** Set if the record belongs elsewhere: the folder that holds it and the root it names. */
  recorded?: { home: string; root: string };
  problems: Problem[];
  /** Errors in this exam's files, which are not asked. Empty with --keep-going. */
  broken: Problem[];
  env: NodeJS.ProcessEnv;
  own: boolean;
  suites: Suite[];
  models: ModelOptions;
}
