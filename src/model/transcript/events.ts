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

/** `any`: loaded, read, called and predicted count. `loaded`: only what a host confirmed counts (and predictions, which no host can confirm). */
export type EvidenceRule = "any" | "loaded";

/** The activations that count, in order. Refused and mentioned skills never do. */
export function countedActivations(activations: readonly Activation[], rule: EvidenceRule = "any"): Activation[] {
  return activations.filter((activation) => counts(activation.evidence, rule));
}

function counts(evidence: Evidence, rule: EvidenceRule = "any"): boolean {
  switch (evidence) {
    case "loaded":
    case "predicted":
      return true;
    case "read":
    case "called":
      return rule === "any";
    case "refused":
    case "mentioned":
      return false;
  }
}

/** The skill reached for on the first turn; undefined when there was none. */
export function firstMove(activations: readonly Activation[], rule: EvidenceRule = "any"): Activation | undefined {
  return activations.find((activation) => activation.turn === 1 && counts(activation.evidence, rule));
}

/** What a prediction says of a skill, be it ranked or not. */
export function predictedVerdict(
  { ranking, silentBelow, uncertain, unsure }: Prediction,
  skill: string,
): Ranked["verdict"] {
  const open = unsure !== undefined || uncertain?.includes(skill) === true;
  const verdict = ranking.find((ranked) => ranked.skill === skill)?.verdict ?? (open ? "uncertain" : "silent");
  return verdict === "uncertain" && silentBelow === undefined ? "silent" : verdict;
}

/** The counts of two calls together; what neither reported stays absent. */
export function addUsage(a: Usage | undefined, b: Usage | undefined): Usage | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const total: Usage = { ...a };
  for (const [key, value] of Object.entries(b) as [keyof Usage, number | undefined][]) {
    if (value !== undefined) total[key] = (total[key] ?? 0) + value;
  }
  return total;
}

/** All tokens of a trial. Those read from and written to a provider's cache are part of the input, and not counted again. */
export function totalTokens(usage: Usage | undefined): number | undefined {
  if (usage === undefined) return undefined;
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = usage;
  const cached =
    cacheReadTokens === undefined && cacheWriteTokens === undefined
      ? undefined
      : (cacheReadTokens ?? 0) + (cacheWriteTokens ?? 0);
  const input = inputTokens ?? cached;
  return input === undefined && outputTokens === undefined ? undefined : (input ?? 0) + (outputTokens ?? 0);
}
