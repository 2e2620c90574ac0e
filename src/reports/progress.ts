import picocolors from "picocolors";
import { displayWidth } from "../base/index.ts";
import { errorLabel } from "../scores/index.ts";
import type { ProgressSnapshot, TargetProgress } from "../sitting/index.ts";
import { ERROR_REASONS } from "../transcripts/index.ts";
import { oneLine, pad, truncate } from "./text/fit-text.ts";
import { count, moneyText } from "./text/numbers.ts";

interface ProgressOptions {
  /** Where it is drawn; a terminal is redrawn in place, anything else gets a plain line every few seconds. */
  stream: { write(text: string): unknown; isTTY?: boolean; columns?: number; rows?: number };
  color?: boolean;
  /** The clock, in milliseconds. */
  now?: () => number;
}

export interface Progress {
  /** Cheap: call it after every trial; it draws only as often as an eye can follow. */
  update(snapshot: ProgressSnapshot): void;
  /** Clears the display on a terminal, or writes the last line elsewhere, so that the report can follow. */
  stop(): void;
}

/** What runs, what is left and what it costs, while a run goes on. */
export function createProgress(options: ProgressOptions): Progress {
  return options.stream.isTTY === true ? new LiveProgress(options) : new PlainProgress(options);
}

const liveEvery = 100;
const plainEvery = 5000;

/** Redraws its few lines in place. A display that is taller than it was leaves nothing behind. */
class LiveProgress implements Progress {
  readonly #options: ProgressOptions;
  readonly #clock: Clock;
  #last: ProgressSnapshot | undefined;
  #drawnAt = Number.NEGATIVE_INFINITY;
  #lines = 0;

  constructor(options: ProgressOptions) {
    this.#options = options;
    this.#clock = new Clock(options.now ?? Date.now);
  }

  update(snapshot: ProgressSnapshot): void {
    this.#last = snapshot;
    this.#clock.see(snapshot);
    const now = this.#clock.now();
    if (now - this.#drawnAt < liveEvery) return;
    this.#drawnAt = now;
    this.#draw(snapshot);
  }

  stop(): void {
    if (this.#last === undefined) return;
    this.#options.stream.write(this.#erase());
    this.#lines = 0;
    this.#last = undefined;
  }

  #draw(snapshot: ProgressSnapshot): void {
    // One column less than the terminal has: a full last column wraps on some.
    const width = Math.max(40, (this.#options.stream.columns ?? 80) - 1);
    const lines = progressLines(snapshot, this.#clock, width, picocolors.createColors(this.#options.color ?? false));
    // What scrolls out at the top cannot be erased again.
    const shown = lines.slice(0, Math.max(1, (this.#options.stream.rows ?? 24) - 1));
    this.#options.stream.write(`${this.#erase()}${shown.join("\n")}\n`);
    this.#lines = shown.length;
  }

  #erase(): string {
    return this.#lines === 0 ? "" : `\x1b[${this.#lines}A\r\x1b[J`;
  }
}

/** A line now and then, for logs: no control codes. */
class PlainProgress implements Progress {
  readonly #options: ProgressOptions;
  readonly #clock: Clock;
  #last: ProgressSnapshot | undefined;
  #writtenAt: number;

  constructor(options: ProgressOptions) {
    this.#options = options;
    this.#clock = new Clock(options.now ?? Date.now);
    this.#writtenAt = this.#clock.now();
  }

  update(snapshot: ProgressSnapshot): void {
    this.#last = snapshot;
    this.#clock.see(snapshot);
    if (this.#clock.now() - this.#writtenAt < plainEvery) return;
    this.#write(snapshot);
  }

  /** A run that was over before its first line needs none. */
  stop(): void {
    if (this.#last !== undefined && this.#clock.now() - this.#clock.start >= plainEvery) this.#write(this.#last);
    this.#last = undefined;
  }

  #write(snapshot: ProgressSnapshot): void {
    this.#writtenAt = this.#clock.now();
    const { stream } = this.#options;
    for (const target of snapshot.targets) {
      const { done, running, errors, cost, left } = facts(target, snapshot, this.#clock);
      stream.write(`${oneLine(target.id)}: ${[done, ...running, ...errors, cost, ...left].join(", ")}\n`);
    }
  }
}

/** When it began, and how long the rest will take at the pace so far. */
class Clock {
  readonly now: () => number;
  readonly start: number;
  readonly #first = new Map<string, number>();

  constructor(now: () => number) {
    this.now = now;
    this.start = now();
  }

  /** What was done before anything was asked here (a resumed run) says nothing about the pace. */
  see({ targets }: ProgressSnapshot): void {
    for (const { id, done } of targets) if (!this.#first.has(id)) this.#first.set(id, done);
  }

  /** Milliseconds; null while there is too little to go by. */
  left({ id, done, total }: TargetProgress): number | null {
    const since = done - (this.#first.get(id) ?? 0);
    const elapsed = this.now() - this.start;
    return since < 3 || elapsed < 2000 || done >= total ? null : (elapsed / since) * (total - done);
  }
}

function progressLines(
  snapshot: ProgressSnapshot,
  clock: Clock,
  width: number,
  colors: ReturnType<typeof picocolors.createColors>,
): string[] {
  const label = Math.min(28, Math.max(14, ...snapshot.targets.map(({ id }) => oneLine(id).length)));
  const lines = snapshot.targets.map((target) => {
    const line = truncate(fitting(target, pad(oneLine(target.id), label), facts(target, snapshot, clock), width), width);
    return Object.keys(target.errors).length > 0 ? colors.yellow(line) : line;
  });
  const notes = [
    ...(snapshot.saved.trials > 0
      ? [
          `saved by early stop: ${count(snapshot.saved.trials, "trial")}${snapshot.saved.usd === undefined ? "" : ` (${moneyText(snapshot.saved.usd)})`}`,
        ]
      : []),
    ...(snapshot.cached > 0 ? [`cached: ${snapshot.cached}`] : []),
  ];
  return notes.length === 0 ? lines : [...lines, colors.dim(truncate(notes.join(" · "), width))];
}

/** The bar gives way first, then words, then what runs and what is left: what it has cost and what went wrong stay in sight. */
function fitting(target: TargetProgress, label: string, { done, running, errors, cost, left }: Facts, width: number): string {
  const short = errors.map((text) => text.replace(/ \(.*\)$/, ""));
  const drawn = (bars: number) => (bars === 0 ? label.trimEnd() : `${label}  ${bar(target, bars)}`);
  const forms = [
    [drawn(19), done, ...running, ...errors, cost, ...left],
    [drawn(10), done, ...running, ...errors, cost, ...left],
    [drawn(10), done, ...running, ...short, cost, ...left],
    [drawn(0), done, ...running, ...short, cost, ...left],
    [drawn(0), done, ...short, cost, ...left],
    [drawn(0), done, ...short, cost],
  ].map(([head, ...rest]) => `${head}  ${rest.join("   ")}`);
  return forms.find((text) => displayWidth(text) <= width) ?? forms.at(-1)!.replace(/ {2,}/g, " ");
}

function bar({ done, total }: TargetProgress, width: number): string {
  const full = total === 0 ? width : Math.min(width, Math.floor((done / total) * width));
  return "█".repeat(full) + "░".repeat(width - full);
}

interface Facts {
  done: string;
  running: string[];
  errors: string[];
  cost: string;
  left: string[];
}

function facts(target: TargetProgress, { budgetUsd }: ProgressSnapshot, clock: Clock): Facts {
  const { done, total, running, errors, retries, spentUsd } = target;
  const reasons = Object.entries(errors).filter(([, n]) => n > 0);
  const failed = reasons.reduce((sum, [, n]) => sum + n, 0);
  const retried = retries > 0 ? `, ${retries} retried` : "";
  const left = clock.left(target);
  const spent =
    spentUsd === null ? "cost not known" : `${moneyText(spentUsd)}${budgetUsd === undefined ? "" : ` of ${moneyText(budgetUsd)}`}`;
  return {
    done: `${done}/${count(total, "trial")}`,
    running: running > 0 ? [`${running} running`] : [],
    errors: failed > 0 ? [`${count(failed, "error")} (${reasons.map(([reason]) => wordsFor(reason)).join(", ")}${retried})`] : [],
    cost: spent,
    left: left === null ? [] : [aboutText(left)],
  };
}

function wordsFor(reason: string): string {
  const known = ERROR_REASONS.find((one) => one === reason);
  return known === undefined ? oneLine(reason) : errorLabel(known);
}

function aboutText(ms: number): string {
  return ms < 60_000 ? `about ${Math.max(1, Math.round(ms / 1000))} s` : `about ${Math.round(ms / 60_000)} min`;
}
