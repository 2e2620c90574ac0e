import type { Activation, ListingEntry, Prediction, Resources, TrialError, Usage } from "../transcripts/index.ts";

/** Grows when a reader of the previous version would misread a record. A newer one is refused, an older one is read. */
export const RECORD_VERSION = 1;

/** One line of record.jsonl: a header, the planned questions, the trials as they end, a footer. */
export type RecordLine = HeaderLine | QuestionLine | TrialLine | FooterLine;

export interface HeaderLine {
  type: "header";
  version: typeof RECORD_VERSION;
  run: string;
  proctor: string;
  node: string;
  platform: string;
  startedAt: string;
  library: { name: string; root: string; fingerprint: string; skills: { id: string; fingerprint: string; modelInvocable: boolean }[] };
  suite: { fingerprint: string; files: string[] };
  targets: { id: string; kind: string; predicted: boolean; note?: string; identity: Identity; fingerprint: string }[];
  /** What was asked for, and the fingerprint of the part of it that a resumed run must share. */
  options: Record<string, unknown>;
  optionsFingerprint: string;
  git?: { commit: string; dirty: boolean };
  /** The filters of a run that did not ask everything; such a run is never a baseline. */
  partial?: string[];
  shard?: { index: number; count: number };
  /** Of a merged run: the shards that were not among its records. What they ask has no verdict. */
  missingShards?: number[];
}

/** Who exactly answered: in every record, in every cache key. */
export interface Identity {
  host?: string;
  version?: string;
  provider?: string;
  model?: string;
  endpoint?: string;
  /** Everything else that can change an answer: tool profile, permission mode, thresholds, adapter version. */
  options: Record<string, unknown>;
  deterministic: boolean;
}

/** A planned question. Everything a score or a report needs of the suite, so that neither needs its files. */
export interface QuestionLine {
  type: "question";
  /** Unique in the run: suite file relative to the library's root, `#`, the question's id. */
  id: string;
  kind: "trigger" | "case";
  skill?: string;
  positive: boolean;
  ask: string;
  /** Targets that are asked differently (a judge is asked about one skill), and their ask. */
  asks?: Record<string, string>;
  prompt: string;
  /** The skill_invocation configuration of a trigger, with library ids; absent for cases. */
  expect?: { required_skills: string[]; forbidden_skills: string[]; also_fine: string[]; mode: string; allow_extra: boolean };
  /** Relative to the library's root, with forward slashes. */
  source: { file: string; line?: number; column?: number };
  tags: string[];
  runs: Record<string, number>;
  /** Not asked on these targets, and why. */
  skipped: Record<string, string>;
  /** Cannot be asked at all (an unknown skill name, say): counts against coverage. */
  invalid?: string;
  /** Made by a tool and not yet looked at by a person. */
  draft?: true;
  /** Added by --cross: a sibling's positive as a negative of `skill`. */
  cross?: boolean;
}

export interface Attempt {
  ms: number;
  error?: TrialError;
  usage?: Usage;
  costUsd?: number;
}

export interface CheckResult {
  question: string;
  /** null = skipped or not gradable; the message says why. */
  passed: boolean | null;
  score: number | null;
  message: string;
}

export interface TrialLine {
  type: "trial";
  target: string;
  ask: string;
  /** From 1. */
  run: number;
  startedAt: string;
  ms: number;
  how: "completed" | "max_turns" | "stopped" | "error";
  turns: number;
  activations: Activation[];
  /** The examinee ended by asking a question back. */
  askedBack?: boolean;
  error?: TrialError;
  /** One entry per question that shares the ask; empty when the trial is an error. */
  checks: CheckResult[];
  attempts: Attempt[];
  usage?: Usage;
  costUsd?: number;
  costEstimated?: boolean;
  /** Of the attempt that counts. */
  resources?: Resources;
  listing?: ListingEntry[];
  prediction?: Prediction;
  /** Answered from the cache: when it was measured, and what that saved. */
  cached?: { measuredAt: string; savedMs: number; savedUsd?: number };
  /** Why it was asked although a similar answer is in the cache. */
  askedBecause?: string;
  /** Where its transcript and the host's raw output are, in the segments beside the record. */
  transcript?: SegmentRef;
  raw?: SegmentRef;
}

export interface SegmentRef {
  segment: string;
  offset: number;
  length: number;
}

export interface FooterLine {
  type: "footer";
  endedAt: string;
  how: "complete" | "interrupted" | "stopped";
  /** Trials left unasked, by reason (`budget`, `early stop` …). */
  notAsked: Record<string, number>;
  saved: { trials: number; usd?: number };
}
