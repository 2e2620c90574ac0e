import type { QuestionScore, TrialLine } from "../../model/index.ts";
import type { Executor, FindJudges } from "../grade/index.ts";
import type { RecordPlace } from "../record/index.ts";
import type { ProgressSnapshot } from "./progress.ts";
import type { ScheduleEvent } from "./schedule/target-queue.ts";
import type { Snapshot } from "./snapshot.ts";

export interface RunRequest {
  resume?: RecordPlace;
  /** First Ctrl-C: trials in progress are finished, nothing new starts. */
  finish?: AbortSignal;
  /** Second Ctrl-C: trials in progress are dropped. */
  stop?: AbortSignal;
  on?(event: ExamEvent): void;
  fleet?: Workers;
}

export interface Workers {
  judges: FindJudges;
  /** `here` executes the trials that workers cannot. */
  open(run: {
    snapshot: Snapshot;
    record: RecordPlace;
    here: Executor;
    finish: AbortSignal;
    notice(text: string): void;
  }): Promise<Executor>;
}

export type ExamEvent =
  | { type: "record"; place: RecordPlace; resumed: number; complete: boolean }
  | { type: "trial"; line: TrialLine }
  /** No further run can turn this failure into a pass. */
  | { type: "failed"; target: string; question: QuestionScore }
  /** A message for the user that changes no score. */
  | { type: "notice"; text: string }
  | { type: "progress"; snapshot: ProgressSnapshot }
  | { type: "schedule"; event: ScheduleEvent };
