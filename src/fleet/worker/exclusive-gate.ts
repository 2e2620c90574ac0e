/**
 * Lets trials run side by side, and a suspect alone. A trial during which two workers have ended already may have
 * caused that, or may just have been running at the time. Run alone, the third attempt shows which.
 */
export class ExclusiveGate {
  #inside = 0;
  #suspect: Promise<void> | undefined;
  #onLeave: (() => void) | undefined;

  /** Resolves when no suspect runs or waits to run. Until then, take nothing. */
  async open(): Promise<void> {
    while (this.#suspect !== undefined) await this.#suspect;
  }

  /** Call before a job is taken; call the returned function when it is out of hand. */
  enter(): () => void {
    this.#inside++;
    return () => {
      this.#inside--;
      this.#onLeave?.();
    };
  }

  /** Runs the work of someone inside once everybody else has left. */
  alone<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#othersLeft().then(work);
    const over = () => {
      this.#suspect = undefined;
    };
    this.#suspect = result.then(over, over);
    return result;
  }

  async #othersLeft(): Promise<void> {
    while (this.#inside > 1)
      await new Promise<void>((resolve) => {
        this.#onLeave = resolve;
      });
  }
}
