import { timerMs } from "../../../base/index.ts";
import type { RunLimits } from "../../../base/options/index.ts";
import type { TrialError } from "../../../model/index.ts";
import type { PlannedAsk } from "../../plan/index.ts";
import type { Trial } from "../trial.ts";
import type { Standings } from "./standings.ts";

/** Errors caused by the question. They never make a target pause or end. */
const OF_THE_QUESTION: ReadonlySet<string> = new Set([
  "filtered",
  "denied",
  "not_asked",
  "cut_answer",
  "flood",
  "lost_workers",
]);
/** Errors that every further trial would meet, so no probe is made. */
const HOPELESS: ReadonlySet<string> = new Set(["auth", "invalid_cell"]);

/**
 * A target pauses when FAILING of its newest WINDOW trials are errors. It is a rate because random errors come in rows,
 * too.
 */
const WINDOW = 10;
const FAILING = 9;
const FIRST = 5;
const FIRST_HOPELESS = 3;
/** Until a trial is measured, the third crash and later ones are not retried: the CLI probably cannot start. */
const FIRST_CRASHES = 3;
const PROBES = 3;
/** Share of the concurrency that is kept after a rate limit. It recovers in steps of one. */
const SLOWER = 0.7;

export type ScheduleEvent =
  | { type: "started"; target: string }
  | { type: "ended"; target: string }
  | { type: "retry"; target: string; error: TrialError; delayMs: number }
  | { type: "slower"; target: string; limit: number }
  | { type: "paused"; target: string; error: TrialError }
  | { type: "resumed"; target: string }
  | { type: "given up"; target: string; error: TrialError }
  | { type: "out of budget"; target: string; limit: keyof RunLimits };

export interface LimitedTarget {
  id: string;
  /** Trials at once. On a fleet it changes as workers come and go. */
  readonly limit: number;
  readonly batch?: number | undefined;
}

export interface TargetQueueOptions {
  target: LimitedTarget;
  standings: Standings;
  wake(): void;
  on(event: ScheduleEvent): void;
}

export interface GivenUp {
  error: TrialError;
  errors: number;
  of: number;
}

export class TargetQueue {
  readonly target: string;
  readonly batch: number;
  running = 0;
  closed = false;
  readonly #options: TargetQueueOptions;
  /** The second queue has asks that failed in an earlier part of the run; they come last. */
  readonly #queues = [new FairQueue<PlannedAsk>(), new FairQueue<PlannedAsk>()] as const;
  readonly #open = new Map<PlannedAsk, { waiting: number; underWay: number }>();
  readonly #delayed = new Map<Trial, NodeJS.Timeout>();
  #ready: Trial[] = [];
  #slowed = Number.POSITIVE_INFINITY;
  #newest: (TrialError | undefined)[] = [];
  #everMeasured = false;
  #crashes = 0;
  #pausedAt: number | undefined;
  #failedProbes = 0;
  #slowedAt = Number.NEGATIVE_INFINITY;
  #measuredSince = 0;
  #cooling: NodeJS.Timeout | undefined;

  constructor(options: TargetQueueOptions) {
    this.target = options.target.id;
    this.batch = options.target.batch ?? 1;
    this.#options = options;
  }

  /** Asks already begun go first, so that a run that ends early leaves verdicts rather than first runs. */
  enqueue(ask: PlannedAsk, begun = false): void {
    const waiting = this.#options.standings.needed(ask);
    if (waiting === 0) return;
    this.#open.set(ask, { waiting, underWay: 0 });
    this.#push(ask, begun);
  }

  take(): Trial | undefined {
    if (
      this.closed ||
      this.#cooling !== undefined ||
      this.running >= (this.#pausedAt === undefined ? this.#limit() : 1)
    )
      return undefined;
    const again = this.#ready.shift();
    if (again !== undefined) return again;
    for (const queue of this.#queues) {
      for (let ask = queue.shift(); ask !== undefined; ask = queue.shift()) {
        const open = this.#open.get(ask);
        if (open === undefined || open.waiting === 0) continue;
        open.waiting--;
        open.underWay++;
        if (open.waiting > 0) this.#push(ask, true);
        return { ask, run: this.#options.standings.nextRun(ask), attempts: [] };
      }
    }
    return undefined;
  }

  putBack(trial: Trial): void {
    this.#ready.unshift(trial);
  }

  /** Marks a run as recorded. After the last one needed, the standings decide whether more are. */
  settle(ask: PlannedAsk): void {
    const open = this.#opened(ask);
    open.underWay--;
    if (open.underWay > 0 || open.waiting > 0) return;
    this.#open.delete(ask);
    if (!this.closed) this.enqueue(ask, true);
  }

  /** Drops this run and the ask's remaining runs. */
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
    }, timerMs(delayMs));
    this.#delayed.set(trial, timer);
  }

  /** Lowers the concurrency and pauses. Ignores trials that started before the last slow-down. */
  slowDown(startedAt: number, waitMs: number): void {
    if (startedAt < this.#slowedAt) return;
    this.#slowedAt = performance.now();
    this.#measuredSince = 0;
    const limit = Math.max(1, Math.floor(this.#limit() * SLOWER));
    if (limit !== this.#limit()) this.#options.on({ type: "slower", target: this.target, limit });
    this.#slowed = limit;
    clearTimeout(this.#cooling);
    this.#cooling = setTimeout(() => {
      this.#cooling = undefined;
      this.#options.wake();
    }, timerMs(waitMs));
  }

  onlyCrashes({ reason }: TrialError): boolean {
    if (reason === "crash") this.#crashes++;
    return reason === "crash" && !this.#everMeasured && this.#crashes >= FIRST_CRASHES;
  }

  /**
   * Notes how a trial ended. A target pauses when nearly all of its newest trials were errors; it then gets a few
   * probes, one at a time, and resumes when one of them is measured. Returns a reason if the target should be given up.
   */
  note(error: TrialError | undefined, startedAt: number): GivenUp | undefined {
    if (error !== undefined && OF_THE_QUESTION.has(error.reason)) return undefined;
    this.#newest = [...this.#newest, error].slice(-WINDOW);
    if (error === undefined) {
      this.#noteMeasured();
      return undefined;
    }
    if (this.closed) return undefined;
    if (this.#pausedAt !== undefined) {
      if (startedAt >= this.#pausedAt) this.#failedProbes++;
      return this.#failedProbes < PROBES ? undefined : this.#giveUp(error);
    }
    if (!this.#isFailing()) return undefined;
    const onlyCrashed = !this.#everMeasured && this.#newest.every((one) => one?.reason === "crash");
    if (HOPELESS.has(error.reason) || onlyCrashed) return this.#giveUp(error);
    this.#pausedAt = performance.now();
    this.#failedProbes = 0;
    this.#options.on({ type: "paused", target: this.target, error });
    return undefined;
  }

  #isFailing(): boolean {
    const errors = this.#newest.filter((error) => error !== undefined);
    if (errors.length >= FAILING) return true;
    if (this.#everMeasured) return false;
    return (
      errors.length >= FIRST || (errors.length >= FIRST_HOPELESS && errors.every(({ reason }) => HOPELESS.has(reason)))
    );
  }

  #noteMeasured(): void {
    this.#everMeasured = true;
    if (this.#pausedAt !== undefined) {
      this.#newest = [];
      this.#options.on({ type: "resumed", target: this.target });
    }
    this.#pausedAt = undefined;
    if (this.#slowed >= this.#options.target.limit || ++this.#measuredSince < this.#slowed / 2) return;
    this.#slowed++;
    this.#measuredSince = 0;
  }

  #limit(): number {
    return Math.min(this.#slowed, this.#options.target.limit);
  }

  #giveUp(error: TrialError): GivenUp {
    this.#options.on({ type: "given up", target: this.target, error });
    return { error, errors: this.#newest.filter((one) => one !== undefined).length, of: this.#newest.length };
  }

  isEmpty(): boolean {
    return (
      this.closed ||
      (this.#ready.length === 0 && this.#delayed.size === 0 && this.#queues.every((queue) => queue.size === 0))
    );
  }

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

  #push(ask: PlannedAsk, begun: boolean): void {
    const [fresh, again] = this.#queues;
    const queue = this.#options.standings.failedBefore(ask) ? again : fresh;
    queue.push(ask.questions[0]?.line.skill ?? "", ask, begun);
  }

  #opened(ask: PlannedAsk): { waiting: number; underWay: number } {
    const open = this.#open.get(ask);
    if (open === undefined) throw new Error("No run of this ask is under way");
    return open;
  }
}

/** First in, first out within a group. Groups take turns, so that no skill waits for all questions of another. */
class FairQueue<Item extends object> {
  readonly #groups = new Map<string, Group<Item>>();
  #turns: Group<Item>[] = [];
  #turn = 0;
  #size = 0;
  readonly #next: Item[] = [];

  get size(): number {
    return this.#size;
  }

  push(name: string, item: Item, next = false): void {
    if (next) {
      this.#next.push(item);
      this.#size++;
      return;
    }
    let group = this.#groups.get(name);
    if (group === undefined) {
      group = { name, items: [], head: 0 };
      this.#groups.set(name, group);
      this.#turns.push(group);
    }
    group.items.push(item);
    this.#size++;
  }

  shift(): Item | undefined {
    const next = this.#next.shift();
    if (next !== undefined) {
      this.#size--;
      return next;
    }
    for (;;) {
      if (this.#turn >= this.#turns.length) this.#turn = 0;
      const group = this.#turns[this.#turn];
      if (group === undefined) return undefined;
      const item = group.items[group.head];
      if (item !== undefined) {
        // Releases the item, which the list would keep in memory.
        group.items[group.head++] = undefined;
        this.#turn++;
        this.#size--;
        return item;
      }
      this.#groups.delete(group.name);
      this.#turns.splice(this.#turn, 1);
    }
  }
}

interface Group<Item> {
  name: string;
  items: (Item | undefined)[];
  head: number;
}
