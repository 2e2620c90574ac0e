import type { TrialError } from "../../transcripts/index.ts";

const FIRST_MS = 500;
const LONGEST_MS = 60_000;
/** A server that asks for more patience than this is not waited for; the trial is an error and `run` again asks it later. */
const PATIENCE_MS = 10 * 60_000;

/**
 * How long to wait before asking again, or undefined when that cannot help. Exponential with full jitter over the upper half, so
 * that sixteen trials refused together do not come back together; a server's own retry-after is the least.
 */
export function retryDelay(error: TrialError, retriesSoFar: number, mostRetries: number, random: () => number): number | undefined {
  if (!error.retryable || retriesSoFar >= mostRetries) return undefined;
  if (error.retryAfterMs !== undefined && error.retryAfterMs > PATIENCE_MS) return undefined;
  const ceiling = Math.min(LONGEST_MS, FIRST_MS * 2 ** retriesSoFar);
  const jittered = ceiling / 2 + (random() * ceiling) / 2;
  return error.retryAfterMs === undefined ? jittered : error.retryAfterMs + (random() * ceiling) / 4;
}
