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
import type { Seal } from "../wire/seal.ts";
import { JobQueues, type QueuedJob } from "./job-queues.ts";
import type { Members } from "./members.ts";
import type { RunSession } from "./session.ts";

export interface FleetExecutorOptions {
  link: Link;
  seal: Seal;
  session: RunSession;
  exam: BundleRef;
  portable(job: Job): Job;
  /** For targets that are asked here. */
  here: Executor;
  /** What is not begun yet is taken back when it fires. */
  finish: AbortSignal;
  leaseMs: number;
  patienceMs: number;
  notice(text: string): void;
}

/** An attempt that was handed out and has no result yet. */
interface Outstanding extends QueuedJob {
  resolve(result: JobResult): void;
  addedAt: number;
  /** It was not found, neither in its queue nor with a worker. */
  missed: boolean;
  /** How often it was lost with three workers, and handed out again; and when that began. */
  chances: number;
  firstAt: number;
  /** It was given up by a worker, since when; a result of another one may still come. */
  blamed?: { at: number; result: JobResult };
  /** Who has it in hand, and when that was first seen. */
  seen?: { worker: string; at: number };
}

/** So many workers end with a job in hand before it is given up; or before it is handed out again, at most this often. */
const BLAMED = 3;
const MOST_CHANCES = 3;
/** More results than a few are followed by others at once. */
const MANY_RESULTS = 32;
const GATHER_MS = 4;

/**
 * Hands attempts to workers. Every attempt has one id: the first result that is signed for it counts, and any other is dropped. A job that
 * Redis has lost, and no worker has in hand, is handed out again.
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
  /** The index of each target in the session, by its id. */
  readonly #targets: ReadonlyMap<string, number>;
  /** Free and busy slots of the workers that serve a target, and, under undefined, of all. */
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
    const { link, seal, session, exam } = options;
    this.#prefix = `${exam.hash.slice(0, 12)}-`;
    this.#targets = new Map(session.targets.map(({ id }, index) => [id, index]));
    this.#queues = new JobQueues(link, seal, session);
    this.#countSlots();
    this.#results = link.another();
    session.onBeat = () => this.#beat();
    session.wanted = () => this.#outstanding.size;
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
    const { here, session, finish } = this.#options;
    session.onBeat = () => {};
    session.wanted = () => 0;
    finish.removeEventListener("abort", this.#takeBack);
    this.#results.disconnect();
    await here.close();
  }

  #nextId(): string {
    return `${this.#prefix}${++this.#count}`;
  }

  /** Whoever waits is woken for every result: where they come quickly, those that come within a few milliseconds are read together. */
  async #readResults(): Promise<void> {
    const { session } = this.#options;
    while (!this.#closed) {
      try {
        const { sealed, forget } = await readResults(this.#results, session.id);
        for (const one of sealed) this.#take(one);
        forget();
        if (sealed.length > 0 && sealed.length < MANY_RESULTS)
          await new Promise((resolve) => setTimeout(resolve, GATHER_MS));
      } catch {
        if (!this.#closed) await new Promise((resolve) => setTimeout(resolve, 200));
      }
    }
  }

  #take(sealed: string): void {
    const { seal, session } = this.#options;
    const message = seal.open<ResultMessage>("result", session.id, sealed);
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
    // A second delivery of it may be waiting.
    if (outstanding.missed) this.#queues.remove(outstanding);
  }

  /**
   * Three leases ended with this job in hand. It may only have been there: where more workers have ended than it was blamed for, or fewer
   * have, since some were only silent for a while, it is handed out once more.
   */
  #judge(outstanding: Outstanding, { at, result }: NonNullable<Outstanding["blamed"]>): void {
    const { session } = this.#options;
    const { chances, firstAt, message } = outstanding;
    const gone = session.members.goneSince(firstAt);
    // Who has just ended is not missed yet.
    if (chances < MOST_CHANCES && gone < BLAMED && performance.now() - at < session.members.silenceMs) return;
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
    // One more than there are slots: it waits for a worker, and tells an autoscaler that another would be used.
    return (this.#slots.get(index) ?? 0) + 1;
  }

  /** Returns whether any target has more slots than before. */
  #countSlots(): boolean {
    const before = this.#slots;
    const { members } = this.#options.session;
    this.#slots = new Map([undefined, ...this.#targets.values()].map((target) => [target, members.slots(target)]));
    return [...this.#slots].some(([target, slots]) => slots > (before.get(target) ?? 0));
  }

  async #beat(): Promise<void> {
    const { session } = this.#options;
    const areMore = this.#countSlots();
    this.#workers = session.members.atWork().map((member) => this.#progressOf(member));
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
    // What it said may be a second old, and short trials over since: as many others are under way.
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

  /** Hands out again what is nowhere, the second time it is not found: its result may have been on the way the first time. */
  async #sweep(): Promise<void> {
    const { session, leaseMs } = this.#options;
    const isDue = ({ addedAt, blamed }: Outstanding) =>
      performance.now() - addedAt > leaseMs / 2 && blamed === undefined;
    const old = [...this.#outstanding.values()].filter(isDue);
    if (old.length === 0) return;
    const inHand = new Set(session.members.atWork().flatMap(({ running }) => running));
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

  /** What nobody is there to do is an error of its own, never "did not activate". */
  #giveUpWaiting(target: number): void {
    const { session, patienceMs, notice } = this.#options;
    const waiting = [...this.#outstanding].filter(([, one]) => one.target === target);
    if (waiting.length === 0 || session.members.slots(target) > 0) {
      this.#noWorkerSince.delete(target);
      return;
    }
    const since = this.#noWorkerSince.get(target);
    const now = performance.now();
    const id = session.targets[target]?.id ?? "";
    const why = session.members.whyNot(id);
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
