import type { TrialError } from "../../../model/index.ts";

const FIRST_MS = 500;
const LONGEST_MS = 60_000;
/** A longer retry-after is not waited for: the trial is an error, and `--resume` asks it later. */
const PATIENCE_MS = 10 * 60_000;

export interface Patience {
  retriesSoFar: number;
  mostRetries: number;
  /** The time limit of a trial. */
  timeoutMs: number;
  random: () => number;
}

/**
 * How long to wait before asking again, or undefined when that cannot help. Exponential with full jitter over the
 * upper half, so that sixteen trials refused together do not come back together; a server's own retry-after is the
 * least.
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
