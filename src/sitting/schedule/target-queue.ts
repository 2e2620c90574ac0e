import type { PlannedAsk } from "../../plan/index.ts";
import type { TrialError } from "../../transcripts/index.ts";
import type { Trial } from "../trial.ts";
import { FairQueue } from "./fair-queue.ts";
import type { ScheduleEvent } from "./schedule.ts";
import type { Standings } from "./standings.ts";

/** Reasons that the next trial will meet as well, so that no further one is spent to see. */
const HOPELESS = new Set(["auth", "blocked", "invalid_cell"]);
const ERRORS_TO_PAUSE = 3;
/** What is left of the places after a rate limit. They come back one by one, sooner where few are left. */
const SLOWER = 0.7;

export interface TargetQueueOptions {
  target: string;
  /** At most so many of its trials at once. */
  limit: number;
  standings: Standings;
  /** Asked before the others. */
  first(ask: PlannedAsk): boolean;
  /** Something may start that could not before. */
  wake(): void;
  on(event: ScheduleEvent): void;
}

/** One target's side of the schedule: what waits, how many at once, and whether it is well. */
export class TargetQueue {
  readonly target: string;
  running = 0;
  closed = false;
  readonly #options: TargetQueueOptions;
  readonly #queues = [new FairQueue<PlannedAsk>(), new FairQueue<PlannedAsk>()] as const;
  /** Runs of an ask that are needed and not begun, and those that are under way. */
  readonly #open = new Map<PlannedAsk, { waiting: number; underWay: number }>();
  readonly #delayed = new Map<Trial, NodeJS.Timeout>();
  #ready: Trial[] = [];
  #limit: number;
  #errorsInARow: { reason: string; length: number } | undefined;
  #pausedAt: number | undefined;
  #slowedAt = Number.NEGATIVE_INFINITY;
  #measuredSince = 0;
  #cooling: NodeJS.Timeout | undefined;

  constructor(options: TargetQueueOptions) {
    this.target = options.target;
    this.#options = options;
    this.#limit = options.limit;
  }

  enqueue(ask: PlannedAsk): void {
    const waiting = this.#options.standings.needed(ask);
    if (waiting === 0) return;
    this.#open.set(ask, { waiting, underWay: 0 });
    this.#push(ask);
  }

  /** The next trial that may start now. Each ask takes its place in the queue again for every run, so that first runs come first. */
  take(): Trial | undefined {
    if (this.closed || this.#cooling !== undefined || this.running >= (this.#pausedAt === undefined ? this.#limit : 1)) return undefined;
    const again = this.#ready.shift();
    if (again !== undefined) return again;
    for (const queue of this.#queues) {
      for (let ask = queue.shift(); ask !== undefined; ask = queue.shift()) {
        const open = this.#open.get(ask);
        if (open === undefined || open.waiting === 0) continue;
        open.waiting--;
        open.underWay++;
        if (open.waiting > 0) this.#push(ask);
        return { ask, run: this.#options.standings.nextRun(ask), attempts: [] };
      }
    }
    return undefined;
  }

  putBack(trial: Trial): void {
    this.#ready.unshift(trial);
  }

  /** A run of the ask is in the record; when it was the last of those needed, its standing says how many more it needs. */
  settle(ask: PlannedAsk): void {
    const open = this.#opened(ask);
    open.underWay--;
    if (open.underWay > 0 || open.waiting > 0) return;
    this.#open.delete(ask);
    if (!this.closed) this.enqueue(ask);
  }

  /** A run of the ask will not be made, and no further one. */
  leave(ask: PlannedAsk): void {
    const open = this.#opened(ask);
    open.underWay--;
    open.waiting = 0;
  }

  retryLater(trial: Trial, delayMs: number): void {
    const timer = setTimeout(() => {
      this.#delayed.delete(trial);
      this.#ready.push(trial);
      this.#options.wake();
    }, delayMs);
    this.#delayed.set(trial, timer);
  }

  /** Lessens what may run at once, and waits. A trial that was started before the last time says nothing new. */
  slowDown(startedAt: number, waitMs: number): void {
    if (startedAt < this.#slowedAt) return;
    this.#slowedAt = performance.now();
    this.#measuredSince = 0;
    const limit = Math.max(1, Math.floor(this.#limit * SLOWER));
    if (limit !== this.#limit) this.#options.on({ type: "slower", target: this.target, limit });
    this.#limit = limit;
    clearTimeout(this.#cooling);
    this.#cooling = setTimeout(() => {
      this.#cooling = undefined;
      this.#options.wake();
    }, waitMs);
  }

  /**
   * Notes how a trial ended. Three errors of one kind in a row pause the target: when nothing of it runs any more it gets one trial
   * alone, and goes on if that one is measured. Returns the error when there is no point in going on.
   */
  note(error: TrialError | undefined, startedAt: number): TrialError | undefined {
    if (error === undefined) {
      this.#noteMeasured();
      return undefined;
    }
    const before = this.#errorsInARow;
    const length = before?.reason === error.reason ? before.length + 1 : 1;
    this.#errorsInARow = { reason: error.reason, length };
    if (this.closed) return undefined;
    if (this.#pausedAt !== undefined) return startedAt >= this.#pausedAt ? this.#giveUp(error) : undefined;
    if (length < ERRORS_TO_PAUSE) return undefined;
    if (HOPELESS.has(error.reason)) return this.#giveUp(error);
    this.#pausedAt = performance.now();
    this.#options.on({ type: "paused", target: this.target, error });
    return undefined;
  }

  #noteMeasured(): void {
    this.#errorsInARow = undefined;
    if (this.#pausedAt !== undefined) this.#options.on({ type: "resumed", target: this.target });
    this.#pausedAt = undefined;
    if (this.#limit >= this.#options.limit || ++this.#measuredSince < this.#limit / 2) return;
    this.#limit++;
    this.#measuredSince = 0;
  }

  #giveUp(error: TrialError): TrialError {
    this.#options.on({ type: "given up", target: this.target, error });
    return error;
  }

  isEmpty(): boolean {
    return this.closed || (this.#ready.length === 0 && this.#delayed.size === 0 && this.#queues.every((queue) => queue.size === 0));
  }

  /** Nothing more is asked. Returns the trials that had been tried and were to be tried again. */
  close(): Trial[] {
    this.closed = true;
    const tried = [...this.#ready, ...this.#delayed.keys()].filter((trial) => trial.attempts.length > 0);
    this.#ready = [];
    this.clearTimers();
    return tried;
  }

  clearTimers(): void {
    for (const timer of this.#delayed.values()) clearTimeout(timer);
    this.#delayed.clear();
    clearTimeout(this.#cooling);
    this.#cooling = undefined;
  }

  #push(ask: PlannedAsk): void {
    const [first, rest] = this.#queues;
    (this.#options.first(ask) ? first : rest).push(ask.questions[0]?.line.skill ?? "", ask);
  }

  #opened(ask: PlannedAsk): { waiting: number; underWay: number } {
    const open = this.#open.get(ask);
    if (open === undefined) throw new Error("No run of this ask is under way");
    return open;
  }
}
