/** Node's timers count up to 24.8 days, and fire at once when they are given more. */
const LONGEST_MS = 2 ** 31 - 1;

/** A delay that a timer can wait for. */
export function timerMs(ms: number): number {
  return Math.min(ms, LONGEST_MS);
}
