import picocolors from "picocolors";
import { safeOutput } from "../../base/index.ts";
import type { ProgressSnapshot } from "../../exam/ask/index.ts";
import { oneLine } from "../text/fit-text.ts";
import { ProgressClock, progressFacts, progressLines, workersText } from "./lines.ts";

interface ProgressOptions {
  /** Where it is drawn: a terminal is redrawn in place, anything else gets a plain line every few seconds. */
  stream: { write(text: string): unknown; isTTY?: boolean; columns?: number; rows?: number };
  color?: boolean;
  /** The clock, in milliseconds. */
  now?: () => number;
}

export interface ProgressDisplay {
  /** Cheap enough to call after every trial: it draws only as often as the eye can follow. */
  update(snapshot: ProgressSnapshot): void;
  /** Lines that stay, above the display; only on a terminal that has been watching for a while. */
  tell(lines: () => string[]): void;
  /** Makes room for somebody else's lines; the next update draws again below them. */
  pause(): void;
  /** Clears the display on a terminal, or writes the last line elsewhere, so that the report can follow. */
  stop(): void;
}

/** Shows what is running, what is left and what it costs during a run. */
export function createProgress(options: ProgressOptions): ProgressDisplay {
  return options.stream.isTTY === true ? new LiveProgress(options) : new PlainProgress(options);
}

const LIVE_EVERY_MS = 100;
const PLAIN_EVERY_MS = 5_000;
/** A run that takes longer than this tells its failures as they come. */
const TOLD_AFTER_MS = 2_000;

/** Redraws its few lines in place, and leaves nothing behind. */
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
    // What is over in a moment is told by the report.
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
    // One column less than the terminal has: some wrap when the last column is filled.
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

/** A line now and then, for logs, without control codes. */
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

  /** The report has it all. */
  tell(): void {}

  pause(): void {}

  /** A run that ended before its first line was due needs none. */
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
