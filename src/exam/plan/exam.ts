import type { Problem } from "../../base/index.ts";
import type { ExamOptions, RunSettings, TargetSettings } from "../../base/options/index.ts";
import type { Library, Suite } from "../../model/index.ts";
import type { ModelOptions, resolveTarget, TargetDefinition } from "../../targets/index.ts";
import type { Where } from "./gather/find-questions.ts";
import type { Plan } from "./plan.ts";
import type { PlannedTarget } from "./planned-ask.ts";
import type { LibraryAt } from "./revision/library-at.ts";

export interface ExamRequest extends Where {
  /** Targets that were handed over as objects. */
  defined?: readonly TargetDefinition[];
  flags?: RunSettings;
  env?: NodeJS.ProcessEnv;
  /** How a target is found by its name, when that is not on this machine. */
  resolve?: typeof resolveTarget;
  /** The library as it was at a revision, instead of the one that is found here. */
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
  /** What was given to choose questions, absolute. */
  paths?: string[];
  /** The flags that a command must repeat to mean this exam. */
  said: string[];
  /** The folder that holds `.proctor`. */
  home: string;
  /** Where the record goes, and the root it names, where that is not the library's own. */
  recorded?: { home: string; root: string };
  /** What is wrong with the skills and files that were read. */
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
