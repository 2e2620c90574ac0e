/** Grades a trial: runs its graders with the judges and programs they need, and provides the baseline's replies. */

export { ComparedReplies, comparesReplies, withComparedReplies } from "./compared-replies.ts";
export {
  type Executor,
  failedAttempt,
  failedTranscript,
  isDecided,
  type Job,
  type JobResult,
  STOPPED,
  type WorkerProgress,
} from "./executor.ts";
export { type GradingTools, gradeTrial, programSetting, withoutSkill } from "./grade-trial.ts";
export { type FindJudges, type Judges, type Judging, judgesOf, openJudges } from "./judges.ts";
export { Stops, TimeLimit } from "./time-limit.ts";
