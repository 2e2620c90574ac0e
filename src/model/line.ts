import type { Activation, ListingEntry, Prediction, Resources, TrialError, Usage } from "./transcript/events.ts";

/**
 * Raised when a reader of the previous version would misread a record. Newer records are refused, older ones are read.
 * 2: checksums. 3: the errors `no_worker` and `lost_workers`, which a reader of version 2 takes for damage.
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
  /** When the record was made, where that is later: merged and graded again. */
  createdAt?: string;
  library: { name: string; root: string; fingerprint: string; skills: HeaderSkill[] };
  suite: { fingerprint: string; files: string[] };
  targets: { id: string; kind: string; predicted: boolean; note?: string; identity: Identity; fingerprint: string }[];
  /** The options of the run, and the fingerprint of those that a resumed run must share. */
  options: Record<string, unknown>;
  optionsFingerprint: string;
  git?: { commit: string; dirty?: boolean };
  /** The filters of a run that did not ask everything; such a run is never used as a base. */
  partial?: string[];
  shard?: { index: number; count: number };
  /** In a merged run: the shards that were missing. Their questions have no verdict. */
  missingShards?: number[];
}

export interface HeaderSkill {
  id: string;
  fingerprint: string;
  modelInvocable: boolean;
  /** Its card's description at the start of the run, so that a report can show what was examined; absent in older records. */
  description?: string;
}

/** Who exactly answered: part of every record and of every cache key. */
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

/** A planned question. It holds all that scores and reports need from the suite, so they never read its files. */
export interface QuestionLine {
  type: "question";
  /** Unique in the run: suite file relative to the library's root, `#`, the question's id. */
  id: string;
  kind: "trigger" | "case";
  skill?: string;
  positive: boolean;
  ask: string;
  /** Asks by target, for targets that are asked differently (a judge is asked about one skill). */
  asks?: Record<string, string>;
  prompt: string;
  /** What its author calls a case. */
  name?: string;
  /** The skill_invocation configuration of a trigger, with library ids; absent for cases. */
  expect?: {
    required_skills: string[];
    forbidden_skills: string[];
    also_fine: string[];
    mode: string;
    allow_extra: boolean;
  };
  /** A fingerprint of a case's graders. */
  checks?: string;
  /** Relative to the library's root, with forward slashes. */
  source: { file: string; line?: number; column?: number };
  tags: string[];
  runs: Record<string, number>;
  /** The targets it is not put to, and why. */
  skipped: Record<string, string>;
  /** Why it cannot be asked at all (an unknown skill name, say); it counts against coverage. */
  invalid?: string;
  /** Drafted by a tool and not yet edited by a person. */
  draft?: true;
  /** Added by --baseline: the case `of`, asked for comparison as `label` says. It is in no rate. */
  baseline?: { of: string; label: string };
  /** Added by --cross: a sibling's positive as a negative of `skill`. */
  cross?: boolean;
}

export interface Attempt {
  ms: number;
  error?: TrialError;
  usage?: Usage;
  costUsd?: number;
  /** Who made it, when it was made on another machine. */
  worker?: string;
}

export interface CheckResult {
  question: string;
  /** null: skipped or not gradable; the message says why. */
  passed: boolean | null;
  score: number | null;
  message: string;
  /** Of a case that has a baseline: the outcome by the graders that both sides have. */
  compared?: boolean | null;
  /** Of a case: what each of its graders found, check by check. */
  parts?: { grader: string; passed: boolean | null; message: string; evidence?: string }[];
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
  /** Why a judge decided as it did, in its own words. */
  reason?: string;
  /** The examinee ended by asking a question back. */
  askedBack?: boolean;
  error?: TrialError;
  /** One entry per question that shares the ask; empty when the trial is an error. */
  checks: CheckResult[];
  attempts: Attempt[];
  usage?: Usage;
  /** How often the judges of its graders were asked, and what they used. */
  judged?: { asked: number; usage: Usage };
  costUsd?: number;
  costEstimated?: boolean;
  /** What the attempt that counts used. */
  resources?: Resources;
  listing?: ListingEntry[];
  prediction?: Prediction;
  /** Set when it was answered from the cache: when it was measured, and what that saved. */
  cached?: { measuredAt: string; savedMs: number; savedUsd?: number };
  /** Why it was asked although a similar answer is cached. */
  askedBecause?: string;
  /** Where its transcript and the host's raw output are, in the segments next to the record. */
  transcript?: SegmentRef;
  raw?: SegmentRef;
  /** A member that could not be kept: the target reported what no reader could read. */
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
  /** Trials left unasked, by reason (`budget`, `early stop` …). */
  notAsked: Record<string, number>;
  saved: { trials: number; usd?: number };
  /** What was edited while the run was under way: skills, and files relative to the library's root. All trials saw it as it was before. */
  changed?: string[];
}
