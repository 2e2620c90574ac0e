/** What can be done with stored runs: resume, merge, grade again and compare. */

export { type Since, sinceEarlierRuns } from "./changes-since-last-run.ts";
export {
  type ComparedRun,
  type ComparedRuns,
  type ComparedTarget,
  type CompareSettings,
  compareStored,
} from "./compare.ts";
export { type Regraded, regradeRecord } from "./grade-again/grade-again.ts";
export { runsOfLibrary, type ScoredRun } from "./history.ts";
export { type KeptRun, keptRuns, prunable, removeRun } from "./list-runs.ts";
export { checkLock, type LockOutcome, updateLock } from "./lock.ts";
export { type Merged, mergeRecords } from "./merge.ts";
export { addNote, agreementOf, type Note, type NotedAgreement, readNotes } from "./notes.ts";
export { type RecordSource, recordSource } from "./record-source.ts";
export { resumedSettings, settingsOfRun } from "./resume.ts";
