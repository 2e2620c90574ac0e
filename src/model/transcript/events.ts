/** How we know that a skill was activated. `refused` and `mentioned` never count. */
export type Evidence = "loaded" | "read" | "called" | "refused" | "mentioned" | "predicted";

export interface Activation {
  skill: string;
  /** Turn 1 is the first move. */
  turn: number;
  evidence: Evidence;
  agent?: string;
}

export const EVIDENCE: readonly Evidence[] = ["loaded", "read", "called", "refused", "mentioned", "predicted"];

/** Token counts as the provider reports them. An unreported count is absent, not 0. */
export interface Usage {
  inputTokens?: number;
  outputTokens?: number;
  cacheReadTokens?: number;
  cacheWriteTokens?: number;
}

export interface Resources {
  /** Peak resident memory of the largest process. */
  peakMemoryBytes: number;
  /** User and system time of all processes. */
  cpuMs: number;
}

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
  // Fleet errors: no machine was available, or every machine that took the trial was lost.
  "no_worker",
  "lost_workers",
  // These concern one question only; the next one may well be answered.
  "filtered",
  "denied",
  "not_asked",
  "cut_answer",
] as const;

export type ErrorReason = (typeof ERROR_REASONS)[number];

/** Why a trial has no measurement. An error never means "no activation". */
export interface TrialError {
  reason: ErrorReason;
  message: string;
  retryable: boolean;
  retryAfterMs?: number;
}

export interface Ranked {
  skill: string;
  score: number;
  probability: number;
  verdict: "fires" | "uncertain" | "silent";
  words: string[];
  /** The card says that the skill is not for such a prompt, or not for something the prompt names. */
  excluded?: true;
}

/** Prediction of a target that runs no agent, best first. Unranked skills stay silent unless `unsure` is set. */
export interface Prediction {
  ranking: Ranked[];
  needs: number;
  /**
   * Below this score a skill stays silent; from here to `needs` the target cannot tell. If absent, "uncertain" counts
   * as silent.
   */
  silentBelow?: number;
  /** Further skills the target cannot tell about, best first. They rank so low that a record keeps only their names. */
  uncertain?: string[];
  /** If set, every skill that neither fires nor is ranked as silent is uncertain. */
  unsure?: UnsureOfAll;
}

/**
 * `language`: the prompt's language differs from the cards'. `alone`: the library has one skill, so nothing can win
 * instead. `nobody`: no skill certainly fires, and sharing few words with a card does not prove that its skill stays
 * silent.
 */
export type UnsureOfAll = "language" | "alone" | "nobody";

export const UNSURE_OF_ALL: readonly UnsureOfAll[] = ["language", "alone", "nobody"];

interface ReportedAt {
  at?: number;
}

/** What happened in a trial, independent of the host. A stream must finish with exactly one `end`. */
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
  costUsd?: number;
  /** Computed from a price table, not reported by the host. */
  costEstimated?: boolean;
  listing?: ListingEntry[];
  model?: string;
  resources?: Resources;
}

/**
 * `loaded` counts only activations a host confirmed, and predictions, which no host can confirm. `any` also counts
 * `read` and `called`.
 */
export type EvidenceRule = "any" | "loaded";

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

export function firstMove(activations: readonly Activation[], rule: EvidenceRule = "any"): Activation | undefined {
  return activations.find((activation) => activation.turn === 1 && counts(activation.evidence, rule));
}

export function predictedVerdict(
  { ranking, silentBelow, uncertain, unsure }: Prediction,
  skill: string,
): Ranked["verdict"] {
  const open = unsure !== undefined || uncertain?.includes(skill) === true;
  const verdict = ranking.find((ranked) => ranked.skill === skill)?.verdict ?? (open ? "uncertain" : "silent");
  return verdict === "uncertain" && silentBelow === undefined ? "silent" : verdict;
}

export function addUsage(a: Usage | undefined, b: Usage | undefined): Usage | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const total: Usage = { ...a };
  for (const [key, value] of Object.entries(b) as [keyof Usage, number | undefined][]) {
    if (value !== undefined) total[key] = (total[key] ?? 0) + value;
  }
  return total;
}

/** Total tokens of a trial. Cache reads and writes are part of the input and are not counted again. */
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
