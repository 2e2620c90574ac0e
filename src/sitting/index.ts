/**
 * The asking: schedule, trial, grade, record; with early stop, budget and retries.
 * It knows who is asked what and when, never what an answer means.
 */
export { gradeTrial, programSetting } from "./attempts/grade-trial.ts";
export { type Judges, openJudges } from "./attempts/judges.ts";
export { Stops } from "./attempts/time-limit.ts";
export type { ProgressSnapshot, TargetProgress } from "./progress.ts";
export { type ExamEvent, type SittingRequest, sitExam } from "./sit.ts";
