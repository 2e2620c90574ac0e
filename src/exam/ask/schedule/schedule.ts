import type { Executor, Job, JobResult } from "../../grade/index.ts";
import type { PlannedAsk } from "../../plan/index.ts";
import { errorLabel } from "../../score/index.ts";
import type { Actual, Budget } from "../limits/budget.ts";
import type { Trial } from "../trial.ts";
import { retryDelay } from "./retry-delay.ts";
import type { Standings } from "./standings.ts";
import { type LimitedTarget, type ScheduleEvent, TargetQueue } from "./target-queue.ts";

export interface ScheduleOptions {
  asks: readonly PlannedAsk[];
  targets: readonly LimitedTarget[];
  readonly jobs: number;
  retries: number;
  standings: Standings;
  executor: Executor;
  budget: Budget;
  job(trial: Trial): Job;
  judgements(ask: PlannedAsk): number;
  /** Records and counts the trial and returns true if its answer is cached. */
  answerFromCache(trial: Trial): boolean | Promise<boolean>;
  /** Records and counts a finished trial. A rejection ends the schedule. */
  keep(trial: Trial): void | Promise<void>;
  finish: AbortSignal;
  stop: AbortSignal;
  random: () => number;
  on(event: ScheduleEvent): void;
}

/** `unasked`: why a target's remaining asks were left out, by target id. */
export interface ScheduleResult {
  interrupted: boolean;
  unasked: ReadonlyMap<string, string>;
}

/**
 * Makes every run that the asks need. At most `jobs` trials run at once, each target stays within its own limit, and
 * targets and skills take turns. A trial that waits for a retry occupies no place.
 */
export function runSchedule(options: ScheduleOptions): Promise<ScheduleResult> {
  return new Schedule(options).result;
}

/** Cached answers to serve before timers and signals get a turn. */
const SERVED_AT_ONCE = 64;

interface StartedTrial {
  queue: TargetQueue;
  trial: Trial;
  startedAt: number;
}

class Schedule {
  readonly result: Promise<ScheduleResult>;
  readonly #options: ScheduleOptions;
  readonly #queues: TargetQueue[];
  readonly #unasked = new Map<string, string>();
  readonly #inFlight = new AbortController();
  #resolve!: (result: ScheduleResult) => void;
  #reject!: (error: unknown) => void;
  #running = 0;
  #keeping = 0;
  /** Trials that are neither recorded nor waiting for a retry. */
  #unsettled = 0;
  #turn = 0;
  #dropped = false;
  #over = false;
  #pumping = false;
  #again = false;
  #served = 0;

  constructor(options: ScheduleOptions) {
    const { asks, targets, standings, on } = options;
    this.#options = options;
    this.#queues = targets.map((target) => new TargetQueue({ target, standings, on, wake: () => void this.#pump() }));
    // `!`: the promise calls its executor at once, so both are set before anything can end.
    this.result = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    const queueOf = new Map(this.#queues.map((queue) => [queue.target, queue]));
    for (const ask of asks) queueOf.get(ask.target)?.enqueue(ask);
    options.executor.elsewhere?.onMore(() => void this.#pump());
    options.finish.addEventListener("abort", this.#pump);
    options.stop.addEventListener("abort", this.#stopNow);
    if (options.stop.aborted) this.#stopNow();
    else this.#pump();
  }

  /** Starts every trial that may start. Calls made meanwhile cause another round. */
  #pump = async (): Promise<void> => {
    this.#again = true;
    if (this.#pumping || this.#over) return;
    this.#pumping = true;
    try {
      while (this.#again && !this.#over) {
        this.#again = false;
        await this.#startAll();
      }
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#pumping = false;
    }
    if (!this.#over && this.#isDone()) this.#end();
  };

  async #startAll(): Promise<void> {
    const { jobs, finish } = this.#options;
    let idle = 0;
    while (idle < this.#queues.length && this.#hasRoom(jobs) && !finish.aborted && !this.#over) {
      const queue = this.#queues[this.#turn++ % this.#queues.length];
      const trial = queue?.take();
      if (queue !== undefined && trial !== undefined && (await this.#begin(queue, trial))) idle = 0;
      else idle++;
    }
  }

  /**
   * A call that carries many trials is one job. Trials that are being written occupy no place, but a slow disk must not
   * let them pile up.
   */
  #hasRoom(jobs: number): boolean {
    const busy = this.#queues.reduce((sum, { running, batch }) => sum + running / batch, 0);
    return busy < jobs && this.#keeping < jobs * Math.max(1, ...this.#queues.map(({ batch }) => batch));
  }

  async #begin(queue: TargetQueue, trial: Trial): Promise<boolean> {
    const fresh = trial.attempts.length === 0;
    if (fresh && (await this.#options.answerFromCache(trial))) {
      queue.settle(trial.ask);
      if (++this.#served % SERVED_AT_ONCE === 0) await new Promise(setImmediate);
      return true;
    }
    const kind = trial.kept !== undefined ? "judgement" : fresh ? "trial" : "retry";
    const admission = this.#options.budget.admit(queue.target, {
      kind,
      judgements: this.#options.judgements(trial.ask),
    });
    if (admission.admit) {
      this.#start(queue, trial, admission.release);
      return true;
    }
    if (admission.wait) {
      queue.putBack(trial);
      return false;
    }
    if (!this.#unasked.has(queue.target))
      this.#options.on({ type: "out of budget", target: queue.target, limit: admission.limit });
    this.#unasked.set(queue.target, admission.limit === "trials" ? "--max-trials" : "budget");
    if (fresh) queue.leave(trial.ask);
    else await this.#keep(queue, trial);
    return true;
  }

  #start(queue: TargetQueue, trial: Trial, release: (actual: Actual) => void): void {
    this.#running++;
    this.#unsettled++;
    queue.running++;
    const startedAt = performance.now();
    this.#options.on({ type: "started", target: queue.target });
    this.#options.executor
      .execute(this.#options.job(trial), this.#inFlight.signal)
      .then((result) => {
        const { transcript, judged } = result;
        release({
          usd: transcript.costUsd,
          usage: transcript.usage,
          measured: transcript.outcome.status !== "error",
          judged,
        });
        this.#running--;
        queue.running--;
        this.#options.on({ type: "ended", target: queue.target });
        const settled = this.#after({ queue, trial, startedAt }, result);
        this.#pump();
        return settled;
      })
      .catch(this.#fail)
      .finally(() => {
        this.#unsettled--;
        this.#pump();
      });
  }

  async #after({ queue, trial, startedAt }: StartedTrial, result: JobResult): Promise<void> {
    const { outcome } = result.transcript;
    if (this.#over) return;
    if (outcome.status === "error" && outcome.error.reason === "interrupted") {
      this.#dropped = true;
      return;
    }
    trial.attempts.push(result);
    if (outcome.status === "error") {
      const { retries: mostRetries, random, job } = this.#options;
      const { timeoutMs } = job(trial);
      const delayMs = retryDelay(outcome.error, {
        retriesSoFar: trial.attempts.length - 1,
        mostRetries,
        timeoutMs,
        random,
      });
      if (outcome.error.reason === "rate_limit" || outcome.error.reason === "overloaded")
        queue.slowDown(startedAt, delayMs ?? 0);
      if (delayMs !== undefined && !queue.closed && !queue.onlyCrashes(outcome.error)) {
        this.#options.on({ type: "retry", target: queue.target, error: outcome.error, delayMs });
        queue.retryLater(trial, delayMs);
        return;
      }
    }
    const hopeless =
      trial.kept !== undefined
        ? undefined
        : queue.note(outcome.status === "error" ? outcome.error : undefined, startedAt);
    if (hopeless !== undefined) {
      const { errors, of, error } = hopeless;
      this.#unasked.set(
        queue.target,
        `${queue.target} was given up: ${errors} of its last ${of} trials were errors (${errorLabel(error.reason)})`,
      );
    }
    const tried = hopeless === undefined ? [] : queue.close();
    for (const one of [trial, ...tried]) await this.#keep(queue, one);
  }

  async #keep(queue: TargetQueue, trial: Trial): Promise<void> {
    this.#keeping++;
    await this.#options.keep(trial);
    this.#keeping--;
    queue.settle(trial.ask);
  }

  #isDone(): boolean {
    if (this.#unsettled > 0) return false;
    return this.#options.finish.aborted || this.#queues.every((queue) => queue.isEmpty());
  }

  #stopNow = (): void => {
    this.#inFlight.abort();
    if (this.#keeping === 0) this.#end();
    else setImmediate(this.#stopNow);
  };

  #fail = (error: unknown): void => {
    if (this.#over) return;
    this.#inFlight.abort();
    this.#cleanUp();
    this.#reject(error);
  };

  #end(): void {
    if (this.#over) return;
    const interrupted = this.#dropped || this.#running > 0 || this.#queues.some((queue) => !queue.isEmpty());
    this.#cleanUp();
    this.#resolve({ interrupted, unasked: this.#unasked });
  }

  #cleanUp(): void {
    this.#over = true;
    this.#options.finish.removeEventListener("abort", this.#pump);
    this.#options.stop.removeEventListener("abort", this.#stopNow);
    for (const queue of this.#queues) queue.clearTimers();
  }
}
