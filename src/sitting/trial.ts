import type { PlannedAsk, PreparedExam } from "../plan/index.ts";
import type { Job, JobResult } from "./executor.ts";

/** One run of an ask on a target, with every attempt at it so far. */
export interface Trial {
  ask: PlannedAsk;
  /** From 1. */
  run: number;
  attempts: JobResult[];
}

/** What is handed to the executor for an attempt at a run of an ask. */
export function jobOf({ ask: planned, run }: Pick<Trial, "ask" | "run">, { options, settings }: PreparedExam): Job {
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
  };
}

/** What an attempt cost, with the judges of its graders; undefined = not known. */
export function costOf({ transcript, judgeUsd }: JobResult): number | undefined {
  return transcript.costUsd === undefined && judgeUsd === undefined ? undefined : (transcript.costUsd ?? 0) + (judgeUsd ?? 0);
}
