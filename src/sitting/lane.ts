import type { TrialError } from "../transcripts/index.ts";
import { FairQueue } from "./fair-queue.ts";
import type { ScheduleEvent, Trial, Unit } from "./schedule.ts";

/** Reasons that the next trial will meet as well, so that no further one is spent to see. */
const HOPELESS = new Set(["auth", "blocked", "invalid_cell"]);
const ERRORS_TO_PAUSE = 3;
/** What is left of the places after a rate limit. They come back one by one, sooner where few are left. */
const SLOWER = 0.7;

/** One target's side of the schedule: what waits, how many at once, and whether it is well. */
export class Lane {
  readonly target: string;
  running = 0;
  closed = false;
  readonly #most: number;
  readonly #world: { wake: () => void; on(event: ScheduleEvent): void };
  readonly #queues: { priority: number; queue: FairQueue<Unit> }[] = [];
  readonly #state = new Map<Unit, { waiting: number; underWay: number }>();
  readonly #delayed = new Map<Trial, NodeJS.Timeout>();
  #ready: Trial[] = [];
  #limit: number;
  #row: { reason: string; length: number } | undefined;
  #pausedAt: number | undefined;
  #slowedAt = Number.NEGATIVE_INFINITY;
  #good = 0;
  #cooling: NodeJS.Timeout | undefined;

  constructor(target: string, limit: number, world: { wake: () => void; on(event: ScheduleEvent): void }) {
    this.target = target;
    this.#most = limit;
    this.#limit = limit;
    this.#world = world;
  }

  enqueue(unit: Unit): void {
    const waiting = unit.needed();
    if (waiting === 0) return;
    this.#state.set(unit, { waiting, underWay: 0 });
    this.#queue(unit.priority).push(unit.group, unit);
  }

  /** The next trial that may start now. Each unit takes its place in the row again for every run, so that first runs come first. */
  take(): Trial | undefined {
    if (this.closed || this.#cooling !== undefined || this.running >= (this.#pausedAt === undefined ? this.#limit : 1)) return undefined;
    const again = this.#ready.shift();
    if (again !== undefined) return again;
    for (const { queue } of this.#queues) {
      for (let unit = queue.shift(); unit !== undefined; unit = queue.shift()) {
        const state = this.#state.get(unit);
        if (state === undefined || state.waiting === 0) continue;
        state.waiting--;
        state.underWay++;
        if (state.waiting > 0) queue.push(unit.group, unit);
        return { unit, run: unit.nextRun(), attempts: [] };
      }
    }
    return undefined;
  }

  putBack(trial: Trial): void {
    this.#ready.unshift(trial);
  }

  /** A run of the unit has been kept; when it was the last of those needed, the unit says how many more it needs. */
  settle(unit: Unit): void {
    const state = this.#state.get(unit)!;
    state.underWay--;
    if (state.underWay > 0 || state.waiting > 0) return;
    this.#state.delete(unit);
    if (!this.closed) this.enqueue(unit);
  }

  /** A run of the unit will not be made, and no further one. */
  leave(unit: Unit): void {
    const state = this.#state.get(unit)!;
    state.underWay--;
    state.waiting = 0;
  }

  retryLater(trial: Trial, delayMs: number): void {
    const timer = setTimeout(() => {
      this.#delayed.delete(trial);
      this.#ready.push(trial);
      this.#world.wake();
    }, delayMs);
    this.#delayed.set(trial, timer);
  }

  /** Lessens what may run at once, and waits. A trial that was started before the last time says nothing new. */
  slowDown(startedAt: number, waitMs: number): void {
    if (startedAt < this.#slowedAt) return;
    this.#slowedAt = performance.now();
    this.#good = 0;
    const limit = Math.max(1, Math.floor(this.#limit * SLOWER));
    if (limit !== this.#limit) this.#world.on({ type: "slower", target: this.target, limit });
    this.#limit = limit;
    clearTimeout(this.#cooling);
    this.#cooling = setTimeout(() => {
      this.#cooling = undefined;
      this.#world.wake();
    }, waitMs);
  }

  /**
   * Notes how a trial ended. Three errors of one kind in a row pause the target: when nothing of it runs any more it gets one trial
   * alone, and goes on if that one is measured. Returns the error when there is no point in going on.
   */
  note(error: TrialError | undefined, startedAt: number): TrialError | undefined {
    if (error === undefined) {
      this.#row = undefined;
      if (this.#pausedAt !== undefined) this.#world.on({ type: "resumed", target: this.target });
      this.#pausedAt = undefined;
      if (this.#limit < this.#most && ++this.#good >= this.#limit / 2) {
        this.#limit++;
        this.#good = 0;
      }
      return undefined;
    }
    this.#row = { reason: error.reason, length: this.#row?.reason === error.reason ? this.#row.length + 1 : 1 };
    if (this.closed) return undefined;
    if (this.#pausedAt !== undefined) return startedAt >= this.#pausedAt ? this.#giveUp(error) : undefined;
    if (this.#row.length < ERRORS_TO_PAUSE) return undefined;
    if (HOPELESS.has(error.reason)) return this.#giveUp(error);
    this.#pausedAt = performance.now();
    this.#world.on({ type: "paused", target: this.target, error });
    return undefined;
  }

  #giveUp(error: TrialError): TrialError {
    this.#world.on({ type: "given up", target: this.target, error });
    return error;
  }

  isEmpty(): boolean {
    return this.closed || (this.#ready.length === 0 && this.#delayed.size === 0 && this.#queues.every(({ queue }) => queue.size === 0));
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

  #queue(priority: number): FairQueue<Unit> {
    const known = this.#queues.find((level) => level.priority === priority);
    if (known !== undefined) return known.queue;
    const queue = new FairQueue<Unit>();
    this.#queues.push({ priority, queue });
    this.#queues.sort((a, b) => a.priority - b.priority);
    return queue;
  }
}
