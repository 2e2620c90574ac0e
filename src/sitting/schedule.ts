import type { Limits } from "../options/index.ts";
import { errorLabel } from "../scores/index.ts";
import type { TrialError } from "../transcripts/index.ts";
import type { Budget } from "./budget.ts";
import type { Executor, Job, JobResult } from "./executor.ts";
import { Lane } from "./lane.ts";
import { retryDelay } from "./retry-delay.ts";

/** An ask on a target, of which some runs are still to be made. */
export interface Unit {
  target: string;
  /** Groups take turns. */
  group: string;
  /** Asked before units with a higher number. */
  priority: number;
  /** How many further runs are certainly needed; 0 = none, for good. Asked when no run of the unit is waiting or under way. */
  needed(): number;
  /** The next run that is to be made; each call goes on by one. */
  nextRun(): number;
}

/** A run of a unit, with every attempt at it so far. */
export interface Trial {
  unit: Unit;
  run: number;
  attempts: JobResult[];
}

export interface ScheduleOptions {
  units: readonly Unit[];
  lanes: { target: string; limit: number }[];
  jobs: number;
  retries: number;
  executor: Executor;
  budget: Budget;
  job(trial: Trial): Job;
  /** Answers a trial without asking, if it can: true = kept and counted. */
  answerFromCache(trial: Trial): boolean | Promise<boolean>;
  /** Keeps a trial that has ended, before it counts. A rejection ends the schedule. */
  keep(trial: Trial): void | Promise<void>;
  /** First Ctrl-C: nothing new starts. Second: what runs is dropped. */
  finish: AbortSignal;
  stop: AbortSignal;
  random: () => number;
  on(event: ScheduleEvent): void;
}

export type ScheduleEvent =
  | { type: "started"; target: string }
  | { type: "ended"; target: string }
  | { type: "retry"; target: string; error: TrialError; delayMs: number }
  | { type: "slower"; target: string; limit: number }
  | { type: "paused"; target: string; error: TrialError }
  | { type: "resumed"; target: string }
  | { type: "given up"; target: string; error: TrialError }
  | { type: "out of budget"; target: string; limit: keyof Limits };

/** Why the rest of a target's units was not asked. */
export interface ScheduleResult {
  interrupted: boolean;
  unasked: ReadonlyMap<string, string>;
}

/**
 * Makes every run that its unit needs: at most `jobs` at once and each target within its own limit, targets and groups taking turns.
 * Errors that can pass are tried again later, without holding a place meanwhile.
 */
export function runSchedule(options: ScheduleOptions): Promise<ScheduleResult> {
  return new Schedule(options).result;
}

/** Cached answers that may be served before timers and signals get their turn. */
const SERVED_AT_ONCE = 64;

class Schedule {
  readonly result: Promise<ScheduleResult>;
  readonly #options: ScheduleOptions;
  readonly #lanes: Lane[];
  readonly #laneOf: Map<string, Lane>;
  readonly #unasked = new Map<string, string>();
  readonly #inFlight = new AbortController();
  #resolve!: (result: ScheduleResult) => void;
  #reject!: (error: unknown) => void;
  #running = 0;
  #keeping = 0;
  /** Trials that were started and are neither kept nor waiting to be tried again. */
  #unsettled = 0;
  #turn = 0;
  /** A trial that was under way was called off, and is not in the record. */
  #dropped = false;
  #over = false;
  #pumping = false;
  #again = false;
  #served = 0;

  constructor(options: ScheduleOptions) {
    this.#options = options;
    this.#lanes = options.lanes.map(({ target, limit }) => new Lane(target, limit, { wake: this.#pump, on: options.on }));
    this.#laneOf = new Map(this.#lanes.map((lane) => [lane.target, lane]));
    this.result = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    for (const unit of options.units) this.#laneOf.get(unit.target)!.enqueue(unit);
    options.finish.addEventListener("abort", this.#pump);
    options.stop.addEventListener("abort", this.#stopNow);
    if (options.stop.aborted) this.#stopNow();
    else this.#pump();
  }

  /** Starts whatever may start; a call while it does so asks for another round. */
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
    while (idle < this.#lanes.length && this.#hasRoom(jobs) && !finish.aborted && !this.#over) {
      const lane = this.#lanes[this.#turn++ % this.#lanes.length]!;
      const trial = lane.take();
      if (trial !== undefined && (await this.#begin(lane, trial))) idle = 0;
      else idle++;
    }
  }

  /** A trial that is being written holds no place of those that are being asked, but a slow disk must not let them pile up. */
  #hasRoom(jobs: number): boolean {
    return this.#running < jobs && this.#keeping < jobs;
  }

  /** False when the trial has to wait for what is in flight. */
  async #begin(lane: Lane, trial: Trial): Promise<boolean> {
    const fresh = trial.attempts.length === 0;
    if (fresh && (await this.#options.answerFromCache(trial))) {
      lane.settle(trial.unit);
      if (++this.#served % SERVED_AT_ONCE === 0) await new Promise(setImmediate);
      return true;
    }
    const admission = this.#options.budget.admit(lane.target, fresh ? "trial" : "retry");
    if (admission.admit) {
      this.#start(lane, trial, admission.release);
      return true;
    }
    if (admission.wait) {
      lane.putBack(trial);
      return false;
    }
    if (!this.#unasked.has(lane.target)) this.#options.on({ type: "out of budget", target: lane.target, limit: admission.limit });
    this.#unasked.set(lane.target, admission.limit === "trials" ? "--max-trials" : "budget");
    if (fresh) lane.leave(trial.unit);
    else await this.#keep(lane, trial);
    return true;
  }

  #start(lane: Lane, trial: Trial, release: (actual: { usd?: number; usage?: JobResult["transcript"]["usage"] }) => void): void {
    this.#running++;
    this.#unsettled++;
    lane.running++;
    const startedAt = performance.now();
    this.#options.on({ type: "started", target: lane.target });
    this.#options.executor
      .execute(this.#options.job(trial), this.#inFlight.signal)
      .then((result) => {
        const usd = costOf(result);
        release({ ...(usd !== undefined && { usd }), ...(result.transcript.usage && { usage: result.transcript.usage }) });
        this.#running--;
        lane.running--;
        this.#options.on({ type: "ended", target: lane.target });
        const settled = this.#after(lane, trial, result, startedAt);
        this.#pump();
        return settled;
      })
      .catch(this.#fail)
      .finally(() => {
        this.#unsettled--;
        this.#pump();
      });
  }

  async #after(lane: Lane, trial: Trial, result: JobResult, startedAt: number): Promise<void> {
    const { outcome } = result.transcript;
    if (this.#over) return;
    if (outcome.status === "error" && outcome.error.reason === "interrupted") {
      this.#dropped = true;
      return;
    }
    trial.attempts.push(result);
    if (outcome.status === "error") {
      const delayMs = retryDelay(outcome.error, trial.attempts.length - 1, this.#options.retries, this.#options.random);
      if (outcome.error.reason === "rate_limit" || outcome.error.reason === "overloaded") lane.slowDown(startedAt, delayMs ?? 0);
      if (delayMs !== undefined && !lane.closed) {
        this.#options.on({ type: "retry", target: lane.target, error: outcome.error, delayMs });
        lane.retryLater(trial, delayMs);
        return;
      }
    }
    const hopeless = lane.note(outcome.status === "error" ? outcome.error : undefined, startedAt);
    if (hopeless !== undefined) this.#unasked.set(lane.target, `${lane.target} gave three errors in a row: ${errorLabel(hopeless.reason)}`);
    const tried = hopeless === undefined ? [] : lane.close();
    for (const one of [trial, ...tried]) await this.#keep(lane, one);
  }

  async #keep(lane: Lane, trial: Trial): Promise<void> {
    this.#keeping++;
    await this.#options.keep(trial);
    this.#keeping--;
    lane.settle(trial.unit);
  }

  #isDone(): boolean {
    if (this.#unsettled > 0) return false;
    return this.#options.finish.aborted || this.#lanes.every((lane) => lane.isEmpty());
  }

  /** What is being written is still counted; what is being asked is not waited for. */
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
    const interrupted = this.#dropped || this.#running > 0 || this.#lanes.some((lane) => !lane.isEmpty());
    this.#cleanUp();
    this.#resolve({ interrupted, unasked: this.#unasked });
  }

  #cleanUp(): void {
    this.#over = true;
    this.#options.finish.removeEventListener("abort", this.#pump);
    this.#options.stop.removeEventListener("abort", this.#stopNow);
    for (const lane of this.#lanes) lane.clearTimers();
  }
}

/** What an attempt cost, with the judges of its graders; undefined = not known. */
export function costOf({ transcript, judgeUsd }: JobResult): number | undefined {
  return transcript.costUsd === undefined && judgeUsd === undefined ? undefined : (transcript.costUsd ?? 0) + (judgeUsd ?? 0);
}
