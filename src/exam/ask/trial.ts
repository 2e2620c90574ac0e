import type { Job, JobResult } from "../grade/index.ts";
import type { Exam, PlannedAsk } from "../plan/index.ts";
import type { CachedAnswer } from "../record/index.ts";

/** One run of an ask on a target. Runs count from 1. */
export interface Trial {
  ask: PlannedAsk;
  run: number;
  attempts: JobResult[];
  kept?: CachedAnswer;
}

export function jobOf(
  { ask: planned, run, kept }: Pick<Trial, "ask" | "run" | "kept">,
  { options, settings }: Exam,
): Job {
  const { target, ask, questions } = planned;
  const seconds = ask.limits.timeoutSeconds ?? settings.get(target)?.timeout_seconds;
  return {
    key: `${target} ${ask.key} ${run}`,
    target,
    ask,
    run,
    questions: questions.map(({ check }) => check),
    timeoutMs: seconds === undefined ? options.timeoutMs : seconds * 1000,
    evidence: options.evidence,
    kept,
  };
}

export function costOf({ transcript, judged }: JobResult): number | undefined {
  if (judged === undefined) return transcript.costUsd;
  return transcript.costUsd === undefined || judged.unpriced ? undefined : transcript.costUsd + judged.usd;
}
