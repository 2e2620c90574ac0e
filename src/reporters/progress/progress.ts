import picocolors from "picocolors";
import { safeOutput } from "../../base/index.ts";
import type { ProgressSnapshot } from "../../exam/ask/index.ts";
import { oneLine } from "../text/fit-text.ts";
import { ProgressClock, progressFacts, progressLines, workersText } from "./lines.ts";

interface ProgressOptions {
  /** A terminal is redrawn in place; other streams get a plain line every few seconds. */
  stream: { write(text: string): unknown; isTTY?: boolean; columns?: number; rows?: number };
  color?: boolean;
  now?: () => number;
}

export interface ProgressDisplay {
  /** Safe to call after every trial: redraws are throttled. */
  update(snapshot: ProgressSnapshot): void;
  /** Prints permanent lines above the display, only on a terminal and only once the run has taken a while. */
  tell(lines: () => string[]): void;
  /** Clears the display for other output; the next update redraws it below. */
  pause(): void;
  /** Clears the display on a terminal, or writes the last line elsewhere, so that the report can follow. */
  stop(): void;
}

export function createProgress(options: ProgressOptions): ProgressDisplay {
  return options.stream.isTTY === true ? new LiveProgress(options) : new PlainProgress(options);
}

const LIVE_EVERY_MS = 100;
const PLAIN_EVERY_MS = 5_000;
const TOLD_AFTER_MS = 2_000;

class LiveProgress implements ProgressDisplay {
  readonly #options: ProgressOptions;
  readonly #clock: ProgressClock;
  #last: ProgressSnapshot | undefined;
  #drawnAt = Number.NEGATIVE_INFINITY;
  #lines = 0;

  constructor(options: ProgressOptions) {
    this.#options = options;
    this.#clock = new ProgressClock(options.now ?? Date.now);
  }

  update(snapshot: ProgressSnapshot): void {
    this.#last = snapshot;
    this.#clock.see(snapshot);
    const now = this.#clock.now();
    if (now - this.#drawnAt < LIVE_EVERY_MS) return;
    this.#drawnAt = now;
    this.#draw(snapshot);
  }

  tell(lines: () => string[]): void {
    // The report follows in a moment and shows them.
    if (this.#clock.elapsed() < TOLD_AFTER_MS) return;
    this.#options.stream.write(`${this.#erase()}${safeOutput(lines().join("\n"))}\n`);
    this.#lines = 0;
    if (this.#last !== undefined) this.#draw(this.#last);
  }

  pause(): void {
    if (this.#lines > 0) this.#options.stream.write(this.#erase());
    this.#lines = 0;
    this.#drawnAt = Number.NEGATIVE_INFINITY;
  }

  stop(): void {
    if (this.#last === undefined) return;
    this.#options.stream.write(this.#erase());
    this.#lines = 0;
    this.#last = undefined;
  }

  #draw(snapshot: ProgressSnapshot): void {
    // One column less than the terminal has: some wrap if the last column is filled.
    const width = Math.max(40, (this.#options.stream.columns ?? 80) - 1);
    const lines = progressLines(snapshot, this.#clock, width, picocolors.createColors(this.#options.color ?? false));
    // Lines that have scrolled off the top cannot be erased.
    const shown = lines.slice(0, Math.max(1, (this.#options.stream.rows ?? 24) - 1));
    this.#options.stream.write(`${this.#erase()}${safeOutput(shown.join("\n"))}\n`);
    this.#lines = shown.length;
  }

  #erase(): string {
    return this.#lines === 0 ? "" : `\x1b[${this.#lines}A\r\x1b[J`;
  }
}

class PlainProgress implements ProgressDisplay {
  readonly #options: ProgressOptions;
  readonly #clock: ProgressClock;
  #last: ProgressSnapshot | undefined;
  #writtenAt: number;

  constructor(options: ProgressOptions) {
    this.#options = options;
    this.#clock = new ProgressClock(options.now ?? Date.now);
    this.#writtenAt = this.#clock.now();
  }

  update(snapshot: ProgressSnapshot): void {
    this.#last = snapshot;
    this.#clock.see(snapshot);
    if (this.#clock.now() - this.#writtenAt < PLAIN_EVERY_MS) return;
    this.#write(snapshot);
  }

  /** Logs get failures from the report. */
  tell(): void {}

  pause(): void {}

  /** A run that ended before its first line was due prints none. */
  stop(): void {
    if (this.#last !== undefined && this.#clock.now() - this.#clock.start >= PLAIN_EVERY_MS) this.#write(this.#last);
    this.#last = undefined;
  }

  #write(snapshot: ProgressSnapshot): void {
    this.#writtenAt = this.#clock.now();
    const { stream } = this.#options;
    for (const target of snapshot.targets) {
      const { done, verdicts, running, errors, cost, time } = progressFacts(target, snapshot, this.#clock);
      stream.write(
        safeOutput(`${oneLine(target.id)}: ${[done, ...verdicts, ...running, ...errors, cost, time].join(", ")}\n`),
      );
    }
    if (snapshot.workers !== undefined) stream.write(`workers: ${workersText(snapshot.workers)}\n`);
  }
}
