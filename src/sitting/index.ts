/**
 * The asking: schedule, trial, grade, record; with early stop, budget and retries.
 * It knows who is asked what and when, never what an answer means.
 */
export type { ProgressSnapshot, TargetProgress } from "./progress.ts";
export { type ExamEvent, type SittingRequest, sitExam } from "./sit.ts";
