import { decided } from "../graders/index.ts";
import type { QuestionCheck } from "../plan/index.ts";
import type { CachedAnswer, CheckResult } from "../records/index.ts";
import type { Ask } from "../suites/index.ts";
import type { Activation, EvidenceRule, Transcript } from "../transcripts/index.ts";
import type { JudgeBill } from "./attempts/judges.ts";

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
  /** The host's raw output, where it has one. */
  raw?: string;
}

/** Where attempts are executed. One that goes wrong is a result with an error outcome; it never throws for that. */
export interface Executor {
  execute(job: Job, signal: AbortSignal): Promise<JobResult>;
  close(): Promise<void>;
}

/** No further activation can change a check of any question on the job; a case's checks are never decided early. */
export function isDecided({ questions, evidence }: Job, activations: readonly Activation[]): boolean {
  return questions.every((question) => "expect" in question && decided(question.expect, activations, evidence));
}
