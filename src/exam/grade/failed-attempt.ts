import type { Transcript, TrialError } from "../../model/index.ts";
import type { JobResult } from "./executor.ts";

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
