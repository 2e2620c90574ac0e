/**
 * What is kept: the append-only record of a run, its writer and reader, the cache of answers, and masking.
 * Every score and report is a projection of a record.
 */
export type { Attempt, CheckResult, FooterLine, HeaderLine, QuestionLine, RecordLine, SegmentRef, TrialLine } from "./record.ts";
export { RECORD_VERSION } from "./record.ts";
