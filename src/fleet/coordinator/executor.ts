import {
  type Executor,
  failedAttempt,
  type Job,
  type JobResult,
  STOPPED,
  type WorkerProgress,
} from "../../exam/grade/index.ts";
import type { TrialError } from "../../model/index.ts";
import type { BundleRef } from "../bundle/bundle.ts";
import type { Link, Redis } from "../wire/connect.ts";
import type { JobMessage, ResultMessage } from "../wire/messages.ts";
import { readResults } from "../wire/results.ts";
import type { Signer } from "../wire/signature.ts";
import type { FleetRun } from "./fleet-run.ts";
import { JobQueues, type QueuedJob } from "./job-queues.ts";
import type { Members } from "./members.ts";

export interface FleetExecutorOptions {
  link: Link;
  signer: Signer;
  run: FleetRun;
  exam: BundleRef;
  portable(job: Job): Job;
  /** Runs targets that are not remote. */
  here: Executor;
  /** Fires to take back what has not begun. */
  finish: AbortSignal;
  leaseMs: number;
  patienceMs: number;
  notice(text: string): void;
}

/** An attempt handed out without a result yet. */
interface Outstanding extends QueuedJob {
  resolve(result: JobResult): void;
  addedAt: number;
  /** Found neither in its queue nor with a worker. */
  missed: boolean;
  /** How often it was handed out again after three workers ended with it. */
  chances: number;
  firstAt: number;
  /** Set when a worker gave it up; another worker's result may still come. */
  blamed?: { at: number; result: JobResult };
  /** The worker that has it, and when that was first seen. */
  seen?: { worker: string; at: number };
}

/** A job is given up, or handed out again at most `MOST_CHANCES` times, after this many workers ended with it. */
const BLAMED = 3;
const MOST_CHANCES = 3;
/** After this many results at once, more are expected immediately. */
const MANY_RESULTS = 32;
const GATHER_MS = 4;

/**
 * Hands attempts to workers. Every attempt has one id; the first signed result for it counts and others are dropped. A
 * job that Redis lost and no worker has is handed out again.
 */
export class FleetExecutor implements Executor {
  readonly elsewhere = {
    places: (target?: string) => this.#placesOf(target),
    onMore: (wake: () => void) => {
      this.#wake = wake;
    },
    workers: () => this.#workers,
    onLook: (tell: () => void) => {
      this.#tell = tell;
    },
  };
  readonly #options: FleetExecutorOptions;
  readonly #outstanding = new Map<string, Outstanding>();
  readonly #queues: JobQueues;
  /** Index of each target in the run, by id. */
  readonly #targets: ReadonlyMap<string, number>;
  /** Slots, free and busy, of the workers that serve a target; under undefined, of all workers. */
  #slots = new Map<number | undefined, number>();
  readonly #results: Redis;
  readonly #prefix: string;
  readonly #noWorkerSince = new Map<number, number>();
  readonly #signals = new WeakSet<AbortSignal>();
  #workers: WorkerProgress[] = [];
  #wake: () => void = () => {};
  #tell: () => void = () => {};
  #count = 0;
  #sweptAt = performance.now();
  #closed = false;

  constructor(options: FleetExecutorOptions) {
    this.#options = options;
    const { link, signer, run, exam } = options;
    this.#prefix = `${exam.hash.slice(0, 12)}-`;
    this.#targets = new Map(run.targets.map(({ id }, index) => [id, index]));
    this.#queues = new JobQueues(link, signer, run);
    this.#countSlots();
    this.#results = link.another();
    run.onBeat = () => this.#beat();
    run.wanted = () => this.#outstanding.size;
    options.finish.addEventListener("abort", this.#takeBack, { once: true });
    void this.#readResults();
  }

  execute(job: Job, signal: AbortSignal): Promise<JobResult> {
    const target = this.#targets.get(job.target);
    if (target === undefined) return this.#options.here.execute(job, signal);
    this.#listen(signal);
    const { exam, portable } = this.#options;
    const message: JobMessage = { id: this.#nextId(), delivery: 1, exam, job: portable(job) };
    return new Promise((resolve) => {
      const now = performance.now();
      const outstanding: Outstanding = {
        target,
        message,
        resolve,
        addedAt: now,
        firstAt: now,
        missed: false,
        chances: 0,
      };
      this.#outstanding.set(message.id, outstanding);
      this.#queues.add(outstanding);
      if (signal.aborted) this.#drop();
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#drop();
    const { here, run, finish } = this.#options;
    run.onBeat = () => {};
    run.wanted = () => 0;
    finish.removeEventListener("abort", this.#takeBack);
    this.#results.disconnect();
    await here.close();
  }

  #nextId(): string {
    return `${this.#prefix}${++this.#count}`;
  }

  /** Waits a few milliseconds between reads, so that fast results are read in batches. */
  async #readResults(): Promise<void> {
    const { run } = this.#options;
    while (!this.#closed) {
      try {
        const { signed, forget } = await readResults(this.#results, run.id);
        for (const one of signed) this.#take(one);
        forget();
        if (signed.length > 0 && signed.length < MANY_RESULTS)
          await new Promise((resolve) => setTimeout(resolve, GATHER_MS));
      } catch {
        if (!this.#closed) await new Promise((resolve) => setTimeout(resolve, 200));
      }
    }
  }

  #take(signed: string): void {
    const { signer, run } = this.#options;
    const message = signer.open<ResultMessage>("result", run.id, signed);
    const outstanding = this.#outstanding.get(message?.id ?? "");
    if (message === undefined || outstanding === undefined) return;
    const result = { ...message.result, worker: message.name };
    const { outcome } = result.transcript;
    if (outcome.status === "error" && outcome.error.reason === "lost_workers") {
      outstanding.blamed ??= { at: performance.now(), result };
      this.#judge(outstanding, outstanding.blamed);
    } else this.#end(outstanding, result);
  }

  #end(outstanding: Outstanding, result: JobResult): void {
    this.#outstanding.delete(outstanding.message.id);
    outstanding.resolve(result);
    // A second delivery may be waiting.
    if (outstanding.missed) this.#queues.remove(outstanding);
  }

  /**
   * Three leases ended with this job in hand. It may not be the cause: if more workers have ended than it was blamed
   * for, or fewer because some were only silent, it is handed out again.
   */
  #judge(outstanding: Outstanding, { at, result }: NonNullable<Outstanding["blamed"]>): void {
    const { run } = this.#options;
    const { chances, firstAt, message } = outstanding;
    const gone = run.members.goneSince(firstAt);
    // A worker that has just ended is not missed yet.
    if (chances < MOST_CHANCES && gone < BLAMED && performance.now() - at < run.members.silenceMs) return;
    const isInnocent = chances < MOST_CHANCES && (gone < BLAMED || gone > BLAMED * (chances + 1));
    if (!isInnocent) {
      this.#end(outstanding, result);
      return;
    }
    message.delivery++;
    Object.assign(outstanding, { addedAt: performance.now(), missed: false, chances: chances + 1, blamed: undefined });
    this.#queues.add(outstanding);
  }

  #placesOf(target: string | undefined): number | undefined {
    const index = target === undefined ? undefined : this.#targets.get(target);
    if (target !== undefined && index === undefined) return undefined;
    // One more than there are slots, to show an autoscaler that another worker would be used.
    return (this.#slots.get(index) ?? 0) + 1;
  }

  /** Returns whether any target has more slots than before. */
  #countSlots(): boolean {
    const before = this.#slots;
    const { members } = this.#options.run;
    this.#slots = new Map([undefined, ...this.#targets.values()].map((target) => [target, members.slots(target)]));
    return [...this.#slots].some(([target, slots]) => slots > (before.get(target) ?? 0));
  }

  async #beat(): Promise<void> {
    const { run } = this.#options;
    const areMore = this.#countSlots();
    this.#workers = run.members.atWork().map((member) => this.#progressOf(member));
    this.#tell();
    // Workers may have given something back.
    if (this.#options.finish.aborted) await this.#takeBack();
    for (const one of this.#outstanding.values()) if (one.blamed !== undefined) this.#judge(one, one.blamed);
    for (const target of this.#targets.values()) this.#giveUpWaiting(target);
    if (performance.now() - this.#sweptAt > this.#options.leaseMs / 2) {
      this.#sweptAt = performance.now();
      await this.#sweep();
    }
    if (areMore) this.#wake();
  }

  #progressOf({ name, slots, running }: ReturnType<Members["atWork"]>[number]): WorkerProgress {
    const now = performance.now();
    // The status may be a second old; trials that have ended since were replaced by others.
    const progress: WorkerProgress = { name, slots, running: Math.min(slots, running.length) };
    for (const id of running) {
      const outstanding = this.#outstanding.get(id);
      if (outstanding === undefined) continue;
      if (outstanding.seen?.worker !== name) outstanding.seen = { worker: name, at: now };
      const ms = now - outstanding.seen.at;
      const { target, ask } = outstanding.message.job;
      if (progress.oldest === undefined || ms > progress.oldest.ms)
        progress.oldest = { target, prompt: ask.prompt, ms };
    }
    return progress;
  }

  /** Hands out again jobs that are missing twice in a row; the first time, the result may be on its way. */
  async #sweep(): Promise<void> {
    const { run, leaseMs } = this.#options;
    const isDue = ({ addedAt, blamed }: Outstanding) =>
      performance.now() - addedAt > leaseMs / 2 && blamed === undefined;
    const old = [...this.#outstanding.values()].filter(isDue);
    if (old.length === 0) return;
    const inHand = new Set(run.members.atWork().flatMap(({ running }) => running));
    for (const outstanding of await this.#queues.lost(old)) {
      const { message, missed } = outstanding;
      if (inHand.has(message.id) || !this.#outstanding.has(message.id)) continue;
      if (missed) {
        message.delivery++;
        await this.#queues.addAgain(outstanding);
      }
      outstanding.missed = true;
    }
  }

  /** A trial without a worker is an error, never "did not activate". */
  #giveUpWaiting(target: number): void {
    const { run, patienceMs, notice } = this.#options;
    const waiting = [...this.#outstanding].filter(([, one]) => one.target === target);
    if (waiting.length === 0 || run.members.slots(target) > 0) {
      this.#noWorkerSince.delete(target);
      return;
    }
    const since = this.#noWorkerSince.get(target);
    const now = performance.now();
    const id = run.targets[target]?.id ?? "";
    const why = run.members.whyNot(id);
    const said = why === undefined ? "" : ` (${why})`;
    if (since === undefined) {
      this.#noWorkerSince.set(target, now);
      notice(
        `No worker is left that can run ${id}${said}; waiting ${Math.round(patienceMs / 1000)} s for one. Ctrl-C ends the run; --resume continues it.`,
      );
    } else if (now - since > patienceMs) {
      const error: TrialError = {
        reason: "no_worker",
        message: `No worker that can run ${id} was there for ${Math.round(patienceMs / 1000)} s${said}`,
        retryable: false,
      };
      for (const [one, { resolve }] of waiting) {
        this.#outstanding.delete(one);
        resolve(failedAttempt(error));
      }
    }
  }

  /** Takes back what no worker has begun. */
  #takeBack = async (): Promise<void> => {
    const takeBack = async (outstanding: Outstanding) => {
      const isTaken = await this.#queues.takeBack(outstanding);
      if (isTaken && this.#outstanding.delete(outstanding.message.id)) outstanding.resolve(failedAttempt(STOPPED));
    };
    await Promise.all([...this.#outstanding.values()].map(takeBack));
  };

  #listen(signal: AbortSignal): void {
    if (this.#signals.has(signal)) return;
    this.#signals.add(signal);
    signal.addEventListener("abort", () => this.#drop(), { once: true });
  }

  #drop(): void {
    for (const { resolve } of this.#outstanding.values()) resolve(failedAttempt(STOPPED));
    this.#outstanding.clear();
  }
}
