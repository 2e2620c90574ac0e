/** How we know that a skill was reached for. Counted: loaded, read, called, predicted. Never counted: refused, mentioned. */
export type Evidence = "loaded" | "read" | "called" | "refused" | "mentioned" | "predicted";

export interface Activation {
  /** The skill's id in the library. */
  skill: string;
  /** 1 is the first move. */
  turn: number;
  evidence: Evidence;
  /** Set when it happened inside a sub-agent. */
  agent?: string;
}

export const EVIDENCE: readonly Evidence[] = ["loaded", "read", "called", "refused", "mentioned", "predicted"];

/** Token counts as the provider reports them; a count that was not reported is absent, not 0. */
export interface Usage {
  inputTokens?: number;
  outputTokens?: number;
  cacheReadTokens?: number;
  cacheWriteTokens?: number;
}

/** What a trial's processes used, where the machine can tell. */
export interface Resources {
  /** Peak resident memory of the largest process. */
  peakMemoryBytes: number;
  /** User and system time of all processes. */
  cpuMs: number;
}

/** What the model was shown of a skill. */
export interface ListingEntry {
  skill: string;
  shown: "whole" | "cut" | "bare" | "absent";
}

export const ERROR_REASONS = [
  "auth",
  "rate_limit",
  "overloaded",
  "api",
  "timeout",
  "crash",
  "cut_stream",
  "unparseable",
  "flood",
  "blocked",
  "invalid_cell",
  "interrupted",
  "unknown",
  // Of a fleet: no machine was there to ask it; or it ended every machine that did.
  "no_worker",
  "lost_workers",
  // These belong to one question: the next may well be answered.
  "filtered",
  "denied",
  "not_asked",
  "cut_answer",
] as const;

export type ErrorReason = (typeof ERROR_REASONS)[number];

/** Why a trial has no measurement. An error is never "no activation". */
export interface TrialError {
  reason: ErrorReason;
  message: string;
  /** Asking again may help. */
  retryable: boolean;
  retryAfterMs?: number;
}

/** One skill in a ranking, with what speaks for it. */
export interface Ranked {
  skill: string;
  score: number;
  probability: number;
  /** `uncertain`: the target cannot tell. */
  verdict: "fires" | "uncertain" | "silent";
  /** Words of the query that are on its card. */
  words: string[];
  /** Its card says that it is not for such a prompt, or for some of what the prompt names. */
  excluded?: true;
}

/** What a target that runs no agent predicts, best first. A skill that is not ranked stays silent, unless `unsure` says that this cannot be told. */
export interface Prediction {
  ranking: Ranked[];
  /** The score a skill needs to fire. */
  needs: number;
  /** A skill below this score stays silent; from here to `needs` the target cannot tell. Absent: it knows two answers only, and "uncertain" is a nuance of silent. */
  silentBelow?: number;
  /** More skills that the target cannot tell about, best first: those so far down that a record keeps only their names. */
  uncertain?: string[];
  /** Why it cannot tell that skills stay silent: all that neither fire nor are ranked as silent are uncertain. */
  unsure?: UnsureOfAll;
}

/**
 * `language`: the prompt is in another language than the cards. `alone`: the library has one skill, so that nothing can win instead. `nobody`: no skill surely fires,
 * and that a card shares little with a prompt does not mean that it stays silent.
 */
export type UnsureOfAll = "language" | "alone" | "nobody";

export const UNSURE_OF_ALL: readonly UnsureOfAll[] = ["language", "alone", "nobody"];

/** When the host reported it, in milliseconds since the epoch; absent where that is unknown. */
interface ReportedAt {
  at?: number;
}

/** What happened in a trial, whatever the host. A stream must finish with exactly one `end`. */
export type TrialEvent =
  | ({ type: "text"; turn: number; text: string; agent?: string } & ReportedAt)
  | ({ type: "call"; turn: number; id: string; tool: string; input: unknown; agent?: string } & ReportedAt)
  | ({ type: "result"; id: string; ok: boolean; text?: string } & ReportedAt)
  | ({ type: "activation" } & Activation)
  | { type: "prediction"; prediction: Prediction }
  | EndEvent;

export interface EndEvent {
  type: "end";
  /** `stopped`: Proctor ended it because all its questions were decided. `max_turns` is a normal end. */
  how: "completed" | "max_turns" | "stopped" | "error";
  error?: TrialError;
  usage?: Usage;
  /** Absent when the cost is not known. */
  costUsd?: number;
  /** The cost was computed from a price table, not reported by the host. */
  costEstimated?: boolean;
  listing?: ListingEntry[];
  /** The model the host says it used, if it says so. */
  model?: string;
  resources?: Resources;
}
