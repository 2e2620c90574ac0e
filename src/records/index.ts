/**
 * What is kept: the append-only record of a run, its writer and reader, the cache of answers, and masking.
 * Every score and report is a projection of a record.
 */
export { openCache } from "./cache/open.ts";
export { stageLibrary } from "./cache/staged.ts";
export type {
  CachedTarget,
  HeaderStart,
  Mask,
  RecordPlace,
  RecordWriter,
  StagedSkill,
  TargetCache,
} from "./contract.ts";
export { appendTo, createRecord } from "./create.ts";
export { createMask } from "./mask.ts";
export { listRuns, openRecord } from "./place.ts";
export { readHeader, readRecord } from "./read.ts";
export type {
  Attempt,
  CheckResult,
  FooterLine,
  HeaderLine,
  Identity,
  QuestionLine,
  RecordLine,
  TrialLine,
} from "./record.ts";
export { RECORD_VERSION } from "./record.ts";
export { readRaw, readTranscript } from "./segments.ts";
