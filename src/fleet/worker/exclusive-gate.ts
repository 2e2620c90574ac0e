/**
 * Lets trials run side by side, and a suspect alone. A trial during which two workers have ended already may have caused that, or may just
 * have been running at the time. Run alone, the third attempt shows which.
 */
export class Alone {
  #beside = 0;
  #suspect: Promise<void> | undefined;
  #onLeave: (() => void) | undefined;

  /** A suspect runs, or waits for the others to end: nothing else is to be taken, or kept in hand. */
  get isTaken(): boolean {
    return this.#suspect !== undefined;
  }

  async free(): Promise<void> {
    while (this.#suspect !== undefined) await this.#suspect;
  }

  /** From before a job is taken until it is out of hand. */
  async beside<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#beside++;
    try {
      return await work();
    } finally {
      this.#beside--;
      this.#onLeave?.();
    }
  }

  /** Inside of `beside`: when all others have left. */
  async alone<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#othersLeft().then(work);
    const over = () => {
      this.#suspect = undefined;
    };
    this.#suspect = result.then(over, over);
    return result;
  }

  async #othersLeft(): Promise<void> {
    while (this.#beside > 1)
      await new Promise<void>((resolve) => {
        this.#onLeave = resolve;
      });
  }
}
