/**
 * What is kept: the append-only record of a run with its writer and reader, the cache of answers, and the masking of
 * secrets. Every score and report is computed from a record.
 */

export type { Cache, CachedAnswer, CachedSkill, CachedTarget, TargetCache } from "./cache/cache.ts";
export { openCache } from "./cache/open-cache.ts";
export { stageLibrary } from "./cache/stage-library.ts";
export { howItEnded } from "./how-it-ended.ts";
export { isClean, maskCheck, maskHeader, maskIdentity, maskTranscript } from "./lines/masked-line.ts";
export { appendTo, createRecord } from "./open-writer.ts";
export { readHeader, readRecord, readRecordInPieces } from "./read-record.ts";
export type { HeaderStart, RecordWriter } from "./record-writer.ts";
export { homeOfRun, listRuns, openRecord, type RecordPlace } from "./run-folders.ts";
export { isLocked } from "./run-lock.ts";
export { readRaw, readTranscript } from "./segments.ts";
