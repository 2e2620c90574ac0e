/**
 * What is kept: the append-only record of a run, its writer and reader, the cache of answers, and masking.
 * Every score and report is a projection of a record.
 */
export { openCache } from "./cache/open-cache.ts";
export { stageLibrary } from "./cache/stage-library.ts";
export type {
  CachedTarget,
  HeaderStart,
  Mask,
  RecordPlace,
  RecordWriter,
  StagedSkill,
  TargetCache,
} from "./contract.ts";
export { createMask } from "./mask.ts";
export { appendTo, createRecord } from "./open-writer.ts";
export { readHeader, readRecord } from "./read-record.ts";
export type {
  Attempt,
  CheckResult,
  FooterLine,
  HeaderLine,
  Identity,
  QuestionLine,
  RecordLine,
  TrialLine,
} from "./record-lines.ts";
export { RECORD_VERSION } from "./record-lines.ts";
export { listRuns, openRecord } from "./run-folders.ts";
export { readRaw, readTranscript } from "./segments.ts";
