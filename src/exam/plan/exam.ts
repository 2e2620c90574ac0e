import type { Problem } from "../../base/index.ts";
import type { ExamOptions, RunSettings, TargetSettings } from "../../base/options/index.ts";
import type { Library, Suite } from "../../model/index.ts";
import type { ModelOptions, resolveTarget, TargetDefinition } from "../../targets/index.ts";
import type { Where } from "./gather/find-questions.ts";
import type { Plan } from "./plan.ts";
import type { PlannedTarget } from "./planned-ask.ts";
import type { LibraryAt } from "./revision/library-at.ts";

export interface ExamRequest extends Where {
  /** Targets given as objects. */
  defined?: readonly TargetDefinition[];
  flags?: RunSettings;
  env?: NodeJS.ProcessEnv;
  /** Finds targets by name, if they are not on this machine. */
  resolve?: typeof resolveTarget;
  /** Examine the library of a revision instead. */
  revision?: LibraryAt;
}

/** A planned exam of one library: everything is known, and nobody has been asked. */
export interface Exam {
  library: Library;
  targets: PlannedTarget[];
  settings: ReadonlyMap<string, TargetSettings>;
  options: ExamOptions;
  plan: Plan;
  /** The filters of a run that does not ask everything. */
  partial: string[];
  /** Absolute paths that choose questions. */
  paths?: string[];
  /** Flags that another command has to repeat to mean this exam. */
  said: string[];
  /** The folder that holds `.proctor`. */
  home: string;
  /** Where the record goes and which root it names, if not the library's own. */
  recorded?: { home: string; root: string };
  problems: Problem[];
  /** Errors in the files of this exam, which is asked without them; none with --keep-going, which accepts that. */
  broken: Problem[];
  env: NodeJS.ProcessEnv;
  /** Each suite is put to its own targets. */
  own: boolean;
  suites: Suite[];
  /** How models are reached: for judges of free text. */
  models: ModelOptions;
}
