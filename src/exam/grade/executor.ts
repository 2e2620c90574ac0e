import { decided, type GradingContext } from "../../graders/index.ts";
import type { Activation, Ask, CheckResult, EvidenceRule, Transcript, TrialError, Usage } from "../../model/index.ts";
import type { QuestionCheck } from "../plan/index.ts";
import type { CachedAnswer } from "../record/index.ts";

/**
 * One attempt as plain data. Any process with the same checkout and configuration can execute it: it finds the target
 * and graders by name.
 */
export interface Job {
  /** Identifies the trial. The same trial has the same key on every machine. */
  key: string;
  target: string;
  ask: Ask;
  run: number;
  questions: QuestionCheck[];
  timeoutMs: number;
  evidence: EvidenceRule;
  kept?: CachedAnswer;
  compared?: GradingContext["baseline"];
}

export interface JobResult {
  startedAt: string;
  ms: number;
  transcript: Transcript;
  checks: CheckResult[];
  judged?: JudgeBill;
  /** Judgements made by a worker, for the run's cache. */
  judgements?: KeptJudgement[];
  raw?: string;
  worker?: string;
}

export interface JudgeBill {
  asked: number;
  usd: number;
  unpriced: boolean;
  usage?: Usage;
}

export interface KeptJudgement {
  /** The judge's name in the suite. */
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

interface Elsewhere {
  /**
   * Attempts that workers can take at once, at least one, for all targets or for one. Undefined if that target is asked
   * here.
   */
  places(target?: string): number | undefined;
  onMore(wake: () => void): void;
  workers(): WorkerProgress[];
  onLook(tell: () => void): void;
}

export interface WorkerProgress {
  name: string;
  running: number;
  slots: number;
  oldest?: { target: string; prompt: string; ms: number };
}

/** True if no further activation can change a check. Cases are never decided early. */
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
