import type { ProgressSnapshot, TargetProgress } from "../../exam/ask/index.ts";

/** When the run began, and how long the rest will take at the pace so far. */
export class ProgressClock {
  readonly now: () => number;
  readonly start: number;
  readonly #first = new Map<string, number>();

  constructor(now: () => number) {
    this.now = now;
    this.start = now();
  }

  /** Trials done before this process asked anything (in a resumed run) say nothing about the pace. */
  see({ targets }: ProgressSnapshot): void {
    for (const { id, done } of targets) if (!this.#first.has(id)) this.#first.set(id, done);
  }

  /** Milliseconds since the run began. */
  elapsed(): number {
    return this.now() - this.start;
  }

  /** Milliseconds left; null while there is too little to go by. */
  left({ id, done, total }: TargetProgress): number | null {
    const since = done - (this.#first.get(id) ?? 0);
    const elapsed = this.now() - this.start;
    return since < 3 || elapsed < 2000 || done >= total ? null : (elapsed / since) * (total - done);
  }
}
