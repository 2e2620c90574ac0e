/**
 * How many trials ended within the last so many milliseconds: as many more may be taken ahead of time. Short trials find the next one waiting;
 * of long ones, where nothing is gained by it, hardly any is out of reach of early stop, the budget or Ctrl-C before it begins.
 */
export class Pace {
  readonly #aheadMs: number;
  readonly #now: () => number;
  #ended = 0;
  #at: number;

  constructor(aheadMs: number, now: () => number = () => performance.now()) {
    this.#aheadMs = aheadMs;
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
    this.#ended *= Math.exp((this.#at - now) / this.#aheadMs);
    this.#at = now;
  }
}
