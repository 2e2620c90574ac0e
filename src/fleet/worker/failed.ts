import type { JobResult } from "../../sitting/index.ts";

/** A trial of which nothing was measured. */
export function failed(reason: "blocked" | "crash" | "lost_workers", message: string): JobResult {
  const outcome = { status: "error" as const, error: { reason, message, retryable: false } };
  const transcript = { outcome, activations: [], calls: [], texts: [], finalText: "", turns: 0, how: "error" as const };
  return { startedAt: new Date().toISOString(), ms: 0, transcript, checks: [] };
}
