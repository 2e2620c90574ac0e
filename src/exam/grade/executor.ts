import { decided, type GradingContext } from "../../graders/index.ts";
import type { Activation, Ask, CheckResult, EvidenceRule, Transcript, TrialError, Usage } from "../../model/index.ts";
import type { QuestionCheck } from "../plan/index.ts";
import type { CachedAnswer } from "../record/index.ts";

/**
 * One attempt to be made, as plain data: whoever has the same checkout and configuration finds the target and the graders by
 * their names and can execute it.
 */
export interface Job {
  /** The same for the same trial, whoever plans it. */
  key: string;
  target: string;
  ask: Ask;
  /** From 1. */
  run: number;
  questions: QuestionCheck[];
  timeoutMs: number;
  evidence: EvidenceRule;
  /** What the target answered before, where that is only to be judged. */
  kept?: CachedAnswer;
  /** What was answered without the skill, where graders compare with it. */
  compared?: GradingContext["baseline"];
}

/** What one attempt gave: a transcript, whose outcome may be an error, and the checks of every question on the ask. */
export interface JobResult {
  startedAt: string;
  ms: number;
  transcript: Transcript;
  /** Empty when the outcome is an error. */
  checks: CheckResult[];
  /** What graders spent on judges; absent when none was asked. */
  judged?: JudgeBill;
  /** What judges said that is to be kept, where whoever asked them has no cache. */
  judgements?: KeptJudgement[];
  /** The host's raw output, where it has one. */
  raw?: string;
  /** Who executed it, when it was not this process. */
  worker?: string;
}

/** What the judges of one trial have cost. */
export interface JudgeBill {
  /** Judgements that were asked for, not found in the cache. */
  asked: number;
  usd: number;
  /** One of them did not say what it cost. */
  unpriced: boolean;
  usage?: Usage;
}

/** What a judge said, to be kept by whoever has the cache. */
export interface KeptJudgement {
  /** As the suite names it. */
  model?: string;
  ask: Ask;
  run: number;
  answer: { measuredAt: string; ms: number; transcript: Transcript };
}

/** Where attempts are executed. One that goes wrong is a result with an error outcome; it never throws for that. */
export interface Executor {
  execute(job: Job, signal: AbortSignal): Promise<JobResult>;
  close(): Promise<void>;
  elsewhere?: Elsewhere;
}

/** Of attempts that are executed on other machines. */
interface Elsewhere {
  /** How many attempts it can use at once now: those under way and a few to come, at least one; of all targets, or of one. undefined: that one is asked here. */
  places(target?: string): number | undefined;
  /** Is called whenever there are more places than before. */
  onMore(wake: () => void): void;
  workers(): WorkerProgress[];
  /** Is called whenever what workers do has been looked at. */
  onLook(tell: () => void): void;
}

/** A worker as the live display shows it. */
export interface WorkerProgress {
  name: string;
  running: number;
  slots: number;
  /** What it has been running longest. */
  oldest?: { target: string; prompt: string; ms: number };
}

/** No further activation can change a check of any question on the job; a case's checks are never decided early. */
export function isDecided({ questions, evidence }: Job, activations: readonly Activation[]): boolean {
  return questions.every((question) => "expect" in question && decided(question.expect, activations, evidence));
}

/** Its run ended before it did. */
export const STOPPED: TrialError = { reason: "interrupted", message: "The run was stopped", retryable: false };

/** An attempt of which nothing was measured. */
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
