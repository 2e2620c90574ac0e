/** Node's timers are limited to 24.8 days; longer delays fire at once. */
const LONGEST_MS = 2 ** 31 - 1;

export function timerMs(ms: number): number {
  return Math.min(ms, LONGEST_MS);
}
