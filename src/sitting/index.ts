/**
 * The asking: schedule, trial, grade, record; with early stop, budget and retries.
 * It knows who is asked what and when, never what an answer means.
 */
export { ComparedReplies, comparesReplies } from "./attempts/compared-replies.ts";
export { failedAttempt, STOPPED } from "./attempts/failed-attempt.ts";
export { gradeTrial, programSetting } from "./attempts/grade-trial.ts";
export { type Judges, judgesOf, openJudges } from "./attempts/judges.ts";
export { createPool } from "./attempts/pool.ts";
export { Stops } from "./attempts/time-limit.ts";
export type { Executor, Job, JobResult, WorkerProgress } from "./executor.ts";
export type { ProgressSnapshot, TargetProgress } from "./progress.ts";
export { cachedTrials } from "./record/cached-trials.ts";
export { secretsOfExam } from "./secrets.ts";
export { type Elsewheres, type ExamEvent, type SittingRequest, sitExam } from "./sit.ts";
export type { Snapshot } from "./snapshot.ts";
