/** Waits until somebody rings, or for a while. Nobody who does not wait yet hears it. */
export class Bell {
  readonly #waiting = new Set<() => void>();

  get waiting(): number {
    return this.#waiting.size;
  }

  /** Wakes all that wait, or so many of them. */
  ring(most = this.#waiting.size): void {
    let left = most;
    for (const wake of this.#waiting) {
      if (left-- <= 0) return;
      wake();
    }
  }

  wait(ms?: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        this.#waiting.delete(wake);
        resolve();
      };
      const timer = ms === undefined ? undefined : setTimeout(wake, ms);
      this.#waiting.add(wake);
    });
  }
}
