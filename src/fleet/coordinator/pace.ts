/** Jobs are handed out so far ahead, in milliseconds. */
const AHEAD_MS = 250;

/**
 * How many trials ended lately: so many jobs may wait beyond those that run. Short trials find the next one waiting; of long ones, where
 * nothing is gained by it, hardly any is handed out before early stop, the budget or Ctrl-C could still spare it.
 */
export class Pace {
  readonly #now: () => number;
  #ended = 0;
  #at: number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#at = now();
  }

  note(): void {
    this.#fade();
    this.#ended++;
  }

  /** Each counts less as time goes by. */
  ended(): number {
    this.#fade();
    return Math.round(this.#ended);
  }

  #fade(): void {
    const now = this.#now();
    this.#ended *= Math.exp((this.#at - now) / AHEAD_MS);
    this.#at = now;
  }
}
