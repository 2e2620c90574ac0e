import { decided, type GradingContext } from "../../graders/index.ts";
import type { Activation, Ask, CheckResult, EvidenceRule, Transcript, TrialError, Usage } from "../../model/index.ts";
import type { QuestionCheck } from "../plan/index.ts";
import type { CachedAnswer } from "../record/index.ts";

/**
 * One attempt to be made, as plain data: whoever has the same checkout and configuration finds the target and the
 * graders by their names and can execute it.
 */
export interface Job {
  /** Same trial, same key, whoever plans it. */
  key: string;
  target: string;
  ask: Ask;
  /** From 1. */
  run: number;
  questions: QuestionCheck[];
  timeoutMs: number;
  evidence: EvidenceRule;
  /** A cached answer that only has to be judged. */
  kept?: CachedAnswer;
  /** The reply without the skill, for graders that compare. */
  compared?: GradingContext["baseline"];
}

export interface JobResult {
  startedAt: string;
  ms: number;
  transcript: Transcript;
  /** Empty if the outcome is an error. */
  checks: CheckResult[];
  /** Absent if no judge was asked. */
  judged?: JudgeBill;
  /** Judgements for the run's cache, from workers, which have none. */
  judgements?: KeptJudgement[];
  /** The host's raw output. */
  raw?: string;
  /** The worker that executed it, if any. */
  worker?: string;
}

export interface JudgeBill {
  /** Judgements that were not in the cache. */
  asked: number;
  usd: number;
  /** The cost of at least one is unknown. */
  unpriced: boolean;
  usage?: Usage;
}

export interface KeptJudgement {
  /** Its name in the suite. */
  model?: string;
  ask: Ask;
  run: number;
  answer: { measuredAt: string; ms: number; transcript: Transcript };
}

/** Executes attempts. A failed attempt is a result with an error outcome, never an exception. */
export interface Executor {
  execute(job: Job, signal: AbortSignal): Promise<JobResult>;
  close(): Promise<void>;
  elsewhere?: Elsewhere;
}

/** Execution on other machines. */
interface Elsewhere {
  /** Attempts it can take at once, of all targets or of one; at least one. Undefined if that target is asked here. */
  places(target?: string): number | undefined;
  /** Calls `wake` whenever more attempts can be taken than before. */
  onMore(wake: () => void): void;
  workers(): WorkerProgress[];
  /** Calls `tell` whenever the state of the workers was read. */
  onLook(tell: () => void): void;
}

export interface WorkerProgress {
  name: string;
  running: number;
  slots: number;
  /** Its longest-running attempt. */
  oldest?: { target: string; prompt: string; ms: number };
}

/** True if no further activation can change a check. Checks of cases are never decided early. */
export function isDecided({ questions, evidence }: Job, activations: readonly Activation[]): boolean {
  return questions.every((question) => "expect" in question && decided(question.expect, activations, evidence));
}

export const STOPPED: TrialError = { reason: "interrupted", message: "The run was stopped", retryable: false };

export function failedAttempt(error: TrialError, { startedAt = new Date().toISOString(), ms = 0 } = {}): JobResult {
  return { startedAt, ms, transcript: failedTranscript(error), checks: [] };
}

export function failedTranscript(error: TrialError): Transcript {
  return {
    outcome: { status: "error", error },
    activations: [],
    calls: [],
    texts: [],
    finalText: "",
    turns: 0,
    how: "error",
  };
}
