import type { Activation, ListingEntry, Prediction, Resources, TrialError, Usage } from "./transcript/events.ts";

/**
 * Raised when a reader of the previous version would misread a record. Newer records are refused, older ones are read.
 * 2: checksums. 3: errors `no_worker` and `lost_workers`, which a reader of version 2 takes for damage.
 */
export const RECORD_VERSION = 3;

/** One line of record.jsonl: a header, the planned questions, the trials as they end, a footer. */
export type RecordLine = HeaderLine | QuestionLine | TrialLine | FooterLine;

export interface HeaderLine {
  type: "header";
  version: number;
  run: string;
  proctor: string;
  node: string;
  platform: string;
  startedAt: string;
  /** When a merged or regraded record was written; `startedAt` is the start of the original run. */
  createdAt?: string;
  library: { name: string; root: string; fingerprint: string; skills: HeaderSkill[] };
  suite: { fingerprint: string; files: string[] };
  targets: { id: string; kind: string; predicted: boolean; note?: string; identity: Identity; fingerprint: string }[];
  /** `optionsFingerprint` covers the options that a resumed run must share. */
  options: Record<string, unknown>;
  optionsFingerprint: string;
  git?: { commit: string; dirty?: boolean };
  /** Filters of a run that did not ask everything. Such a run is never a base for comparison. */
  partial?: string[];
  shard?: { index: number; count: number };
  /** Shards missing from a merged run. Their questions have no verdict. */
  missingShards?: number[];
}

export interface HeaderSkill {
  id: string;
  fingerprint: string;
  modelInvocable: boolean;
  /** The card's description at the start of the run; absent in older records. */
  description?: string;
}

/** Who exactly answered. Part of every cache key. */
export interface Identity {
  host?: string;
  version?: string;
  provider?: string;
  model?: string;
  endpoint?: string;
  /** Anything else that can change an answer: tool profile, permission mode, thresholds, adapter version. */
  options: Record<string, unknown>;
  deterministic: boolean;
}

/** A planned question. It has all that scores and reports need, so they never read suite files. */
export interface QuestionLine {
  type: "question";
  /** Unique in the run: suite file relative to the library's root, `#`, the question's id. */
  id: string;
  kind: "trigger" | "case";
  skill?: string;
  positive: boolean;
  ask: string;
  /** Ask per target, for targets that are asked differently (a judge is asked about one skill). */
  asks?: Record<string, string>;
  prompt: string;
  name?: string;
  /** A trigger's skill_invocation configuration with library ids; absent for cases. */
  expect?: {
    required_skills: string[];
    forbidden_skills: string[];
    also_fine: string[];
    mode: string;
    allow_extra: boolean;
  };
  checks?: string;
  source: { file: string; line?: number; column?: number };
  tags: string[];
  runs: Record<string, number>;
  skipped: Record<string, string>;
  /** Why it cannot be asked at all (an unknown skill name, for example). It counts against coverage. */
  invalid?: string;
  /** Drafted by a tool and not yet edited by a person. */
  draft?: true;
  /** Added by --baseline: the case `of`, asked for comparison. It is in no rate. */
  baseline?: { of: string; label: string };
  /** Added by --cross: a sibling's positive as a negative of `skill`. */
  cross?: boolean;
}

export interface Attempt {
  ms: number;
  error?: TrialError;
  usage?: Usage;
  costUsd?: number;
  worker?: string;
}

export interface CheckResult {
  question: string;
  /** null if skipped or not gradable; the message says why. */
  passed: boolean | null;
  score: number | null;
  message: string;
  /** Set on a case with a baseline: the outcome by the graders that both sides have. */
  compared?: boolean | null;
  parts?: { grader: string; passed: boolean | null; message: string; evidence?: string }[];
}

export interface TrialLine {
  type: "trial";
  target: string;
  ask: string;
  /** Counted from 1. */
  run: number;
  startedAt: string;
  ms: number;
  how: "completed" | "max_turns" | "stopped" | "error";
  turns: number;
  activations: Activation[];
  reason?: string;
  askedBack?: boolean;
  error?: TrialError;
  /** One entry per question that shares the ask; empty if the trial is an error. */
  checks: CheckResult[];
  attempts: Attempt[];
  usage?: Usage;
  /** Number of judge calls by its graders, and their tokens. */
  judged?: { asked: number; usage: Usage };
  costUsd?: number;
  costEstimated?: boolean;
  resources?: Resources;
  listing?: ListingEntry[];
  prediction?: Prediction;
  /** Set if answered from the cache: when it was measured, and what that saved. */
  cached?: { measuredAt: string; savedMs: number; savedUsd?: number };
  askedBecause?: string;
  transcript?: SegmentRef;
  raw?: SegmentRef;
  /** Name of a member that was left out because the target reported something unreadable. */
  leftOut?: string;
}

export interface SegmentRef {
  segment: string;
  offset: number;
  length: number;
  /** Checksum of the text; absent in records of version 1. */
  sum?: string;
}

export interface FooterLine {
  type: "footer";
  endedAt: string;
  how: "complete" | "interrupted" | "stopped";
  /** Number of trials left unasked, by reason (`budget`, `early stop` …). */
  notAsked: Record<string, number>;
  saved: { trials: number; usd?: number };
  /** Skills and files (relative to the library's root) edited during the run. All trials saw the earlier state. */
  changed?: string[];
}
