/**
 * The asking: schedule, trial, grade, record; with early stop, budget and retries.
 * It knows who is asked what and when, never what an answer means.
 */

export { createPool } from "./attempts/pool.ts";
export { cachedTrials } from "./lines/cached-trials.ts";
export type { ProgressSnapshot, TargetProgress } from "./progress.ts";
export { type Elsewheres, type ExamEvent, type SittingRequest, sitExam } from "./run-exam.ts";
export { secretsOfExam } from "./secrets.ts";
export type { Snapshot } from "./snapshot.ts";
