/**
 * Asks the planned questions: schedules trials, retries and records them, within the run's limits and with early stop.
 * This room knows which target is asked what and when, never what an answer means.
 */

export { askAll } from "./ask-all.ts";
export { createPool, openExecutor } from "./attempts/pool.ts";
export { openCounters } from "./limits/counters.ts";
export { requireKeys, requireLogin } from "./limits/require-access.ts";
export { cachedTrials, openAnswers } from "./lines/cached-answers.ts";
export { footerOf, headerOf } from "./lines/header.ts";
export { openRecordOf } from "./lines/open-record.ts";
export type { ProgressSnapshot, TargetProgress } from "./progress.ts";
export type { ExamEvent, RunRequest, Workers } from "./run-request.ts";
export { hideSecrets, secretsOfExam } from "./secrets.ts";
export { type Snapshot, takeSnapshot } from "./snapshot.ts";
