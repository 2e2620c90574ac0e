import type { TrialError } from "../../../model/index.ts";

const FIRST_MS = 500;
const LONGEST_MS = 60_000;
/** A longer retry-after is not waited for: the trial becomes an error, and `--resume` asks it again. */
const PATIENCE_MS = 10 * 60_000;

export interface Patience {
  retriesSoFar: number;
  mostRetries: number;
  timeoutMs: number;
  random: () => number;
}

/**
 * Milliseconds to wait before the next attempt; undefined if a retry cannot help. The delay grows exponentially, with
 * jitter over its upper half so that trials refused together do not come back together. It is never shorter than the
 * server's retry-after.
 */
export function retryDelay(
  error: TrialError,
  { retriesSoFar, mostRetries, timeoutMs, random }: Patience,
): number | undefined {
  if (!error.retryable || retriesSoFar >= mostRetries) return undefined;
  if (error.retryAfterMs !== undefined && error.retryAfterMs > Math.min(PATIENCE_MS, timeoutMs)) return undefined;
  const ceiling = Math.min(LONGEST_MS, FIRST_MS * 2 ** retriesSoFar);
  const jittered = ceiling / 2 + (random() * ceiling) / 2;
  return error.retryAfterMs === undefined ? jittered : error.retryAfterMs + (random() * ceiling) / 4;
}
