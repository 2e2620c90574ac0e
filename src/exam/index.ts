/**
 * The sitting: plan → schedule → trial → grade → record, with early stop, budget, retries, resume and shards.
 * It knows who is asked what and when, never what an answer means.
 */
export { checkGates } from "./check-gates.ts";
export { type Config, defineConfig } from "./config.ts";
export { type Estimate, estimate } from "./estimate.ts";
export { examined, firstChange } from "./examined.ts";
export { flagsOfRun, resumedFlags } from "./flags-of-run.ts";
export { type LoadedConfig, loadConfig } from "./load-config.ts";
export { mergeRecords } from "./merge.ts";
export type { ExamFlags } from "./options.ts";
export { BrokenFiles, type ExamRequest, homeOf, libraryRoot, type PreparedExam, prepareExams } from "./prepare.ts";
export type { ProgressSnapshot, TargetProgress } from "./progress.ts";
export { promote } from "./promote.ts";
export { type Regraded, regradeRecord } from "./regrade.ts";
export { type ExamRun, type RunExamOptions, runExam } from "./run-exam.ts";
export { parseShard } from "./shard.ts";
export { type Since, sinceEarlierRuns } from "./since.ts";
export { type ExamEvent, type SittingRequest, sitExam } from "./sit.ts";
