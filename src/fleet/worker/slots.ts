import type { Job as QueueJob } from "bullmq";
import type { Mask } from "../../base/index.ts";
import { failedAttempt, type JobResult } from "../../exam/grade/index.ts";
import { isClean, maskCheck, maskTranscript } from "../../exam/record/index.ts";
import type { Link } from "../wire/connect.ts";
import type { JobMessage, ResultMessage } from "../wire/messages.ts";
import { sendResults } from "../wire/results.ts";
import type { Signer } from "../wire/signature.ts";
import { ExclusiveGate } from "./exclusive-gate.ts";
import type { JobSource, JoinedRun, Self } from "./joined-run.ts";

export interface SlotsOptions {
  link: Link;
  signer: Signer;
  self: Self;
  /** The queues this worker may take jobs from now. */
  sources(): JobSource[];
  /** Runs a trial. Undefined if it cannot begin here now; the job then goes back to its queue. */
  make(run: JoinedRun, message: JobMessage): Promise<Made | undefined>;
}

export interface Made {
  result: JobResult;
  /** What must not leave this machine. */
  mask?: Mask;
}

/** A job in hand: running, or its result being sent. */
interface Taken {
  source: JobSource;
  job: QueueJob;
  token: string;
  message: JobMessage;
}

/** After this many workers have ended during a trial, it runs alone. */
const SUSPECT_STALLS = 2;
/** Answered deliveries that are remembered. */
const MOST_DONE = 10_000;
/** The pause before looking for a job again is a twentieth of the time without one, within these bounds. */
const LOOK_MS = [4, 200] as const;
/** How long to wait before what Redis refused is sent again. */
const STORE_AGAIN_MS = 500;

/** A worker's slots. Each takes a job, runs its trial and sends the result before it takes the next. */
export class Slots {
  readonly #options: SlotsOptions;
  readonly #taken = new Set<Taken>();
  readonly #gate = new ExclusiveGate();
  #lastLook: Promise<unknown> = Promise.resolve();
  #idleSince: number | undefined;
  #wake: () => void = () => {};
  #turn = 0;
  #tokens = 0;
  #over = false;
  trials = 0;

  constructor(options: SlotsOptions) {
    this.#options = options;
  }

  get isEmpty(): boolean {
    return this.#taken.size === 0;
  }

  /** Resolves once `end` was called and everything begun is answered. */
  async work(): Promise<void> {
    await Promise.all(Array.from({ length: this.#options.self.slots }, () => this.#slot()));
  }

  /** Takes nothing more. */
  end(): void {
    this.#over = true;
    this.#wake();
  }

  /** Gives everything in hand back at once, for other workers. */
  async drop(): Promise<void> {
    await Promise.all([...this.#taken].map((taken) => this.#giveBack(taken)));
  }

  /** Call when there are queues that were not there before. */
  lookAgain(): void {
    this.#idleSince = undefined;
    this.#wake();
  }

  /** Renews the leases of what is in hand. */
  renew(): void {
    const sources = new Map<JobSource, Taken[]>();
    for (const taken of this.#taken) sources.set(taken.source, [...(sources.get(taken.source) ?? []), taken]);
    for (const [{ queue, run }, taken] of sources)
      queue
        .extendJobLocks(
          taken.map(({ message }) => message.id),
          taken.map(({ token }) => token),
          run.leaseMs,
        )
        .catch(() => {});
  }

  async #slot(): Promise<void> {
    while (!this.#over) {
      const found = await this.#next();
      if (found === undefined) continue;
      try {
        await this.#make(found.taken);
      } finally {
        found.leave();
      }
    }
  }

  /** One slot looks at a time, so an idle worker asks Redis no more often with many slots than with one. */
  #next(): Promise<{ taken: Taken; leave(): void } | undefined> {
    const look = this.#lastLook.then(() => this.#look());
    this.#lastLook = look;
    return look;
  }

  async #look(): Promise<{ taken: Taken; leave(): void } | undefined> {
    await this.#gate.open();
    if (this.#over) return undefined;
    const leave = this.#gate.enter();
    const taken = await this.#take().catch(() => undefined);
    if (taken !== undefined) {
      this.#idleSince = undefined;
      return { taken, leave };
    }
    leave();
    await this.#pause();
    return undefined;
  }

  #pause(): Promise<void> {
    const now = performance.now();
    this.#idleSince ??= now;
    const ms = Math.min(Math.max((now - this.#idleSince) / 20, LOOK_MS[0]), LOOK_MS[1]);
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
      if (this.#over) this.#wake();
    });
  }

  /** Takes from the queues in turn. A job taken while the connection breaks comes back when its lease ends. */
  async #take(): Promise<Taken | undefined> {
    const sources = this.#options.sources();
    for (let tried = 0; tried < sources.length && !this.#over; tried++) {
      // `!`: a remainder of the length.
      const source = sources[this.#turn++ % sources.length]!;
      const token = `${this.#options.self.id} ${++this.#tokens}`;
      const job = (await source.queue.getNextJob(token, { block: false }).catch(() => undefined)) as
        | QueueJob
        | undefined;
      const taken = job === undefined ? undefined : await this.#accept(source, job, token);
      if (taken !== undefined) return taken;
    }
    return undefined;
  }

  async #accept(source: JobSource, job: QueueJob, token: string): Promise<Taken | undefined> {
    const { run } = source;
    const id = job.id ?? "";
    const { signed } = job.data as { signed?: unknown };
    const message = this.#options.signer.open<JobMessage>("job", run.id, signed);
    if (message?.id !== id || run.done.has(deliveryOf(message))) {
      // With no data at all, a Redis that was full has dropped it: the run hands it out again.
      if (message === undefined && signed !== undefined)
        this.#options.self.say("A job is refused: it is not signed with this PROCTOR_FLEET_KEY.");
      await job.moveToCompleted("", token, false).catch(() => {});
      return undefined;
    }
    // This worker was silent for longer than its lease; its trial continues under the new one.
    for (const one of this.#taken)
      if (one.source.run === run && one.message.id === id) {
        Object.assign(one, { job, token });
        return undefined;
      }
    const taken: Taken = { source, job, token, message };
    this.#taken.add(taken);
    if (!this.#over) return taken;
    await this.#giveBack(taken);
    return undefined;
  }

  async #make(taken: Taken): Promise<void> {
    const { source, message } = taken;
    const { run } = source;
    try {
      if (run.stop.signal.aborted) return;
      run.running.add(message.id);
      const made = await this.#trial(taken).catch((error: unknown) => ({ result: crashed(error) }));
      if (made === undefined) return await this.#giveBack(taken);
      // The run has ended, or the job was given back meanwhile.
      if (run.stop.signal.aborted || !this.#taken.has(taken)) return;
      run.done.add(deliveryOf(message));
      if (run.done.size > MOST_DONE) run.done.delete(run.done.values().next().value!);
      await this.#answer(taken, made);
    } finally {
      run.running.delete(message.id);
      this.#taken.delete(taken);
    }
  }

  async #trial({ source: { run }, job, message }: Taken): Promise<Made | undefined> {
    if (job.deferredFailure) return { result: lostWorkers() };
    const make = () => this.#options.make(run, message);
    // Nothing else may be in hand if a suspect ends this process.
    return job.stalledCounter < SUSPECT_STALLS ? make() : this.#gate.alone(make);
  }

  /**
   * The result is sent first: if this process ends in between, the trial runs again and the second result is dropped.
   */
  async #answer({ source: { run }, job, token, message }: Taken, { result, mask }: Made): Promise<void> {
    const { signer, self } = this.#options;
    const answer: ResultMessage = {
      id: message.id,
      worker: self.id,
      name: self.name,
      result: mask === undefined ? result : masked(result, mask),
    };
    run.trials++;
    this.trials++;
    const stored = this.#store(run, signer.sign("result", run.id, answer));
    // The lease may be lost because Redis restarted or this worker was silent for too long. The result still counts.
    await Promise.allSettled([stored, job.moveToCompleted("", token, false)]);
  }

  /** Retries while Redis refuses, for example because it is full, until the run is over. */
  async #store(run: JoinedRun, signed: string): Promise<void> {
    while (!run.stop.signal.aborted) {
      try {
        await sendResults(this.#options.link.redis, run.id, [signed]);
        return;
      } catch {
        await new Promise((resolve) => setTimeout(resolve, STORE_AGAIN_MS));
      }
    }
  }

  async #giveBack(taken: Taken): Promise<undefined> {
    this.#taken.delete(taken);
    if (!taken.source.run.stop.signal.aborted) await taken.job.moveToWait(taken.token).catch(() => {});
  }
}

function crashed(error: unknown): JobResult {
  const message = `The worker failed: ${error instanceof Error ? error.message : error}`;
  return failedAttempt({ reason: "crash", message, retryable: false });
}

function lostWorkers(): JobResult {
  const message = "Three workers ended while running this trial, so it is not started again";
  return failedAttempt({ reason: "lost_workers", message, retryable: false });
}

function deliveryOf({ id, delivery }: JobMessage): string {
  return `${id} ${delivery}`;
}

/** Masks this machine's secrets in a result before it is sent. */
function masked(result: JobResult, mask: Mask): JobResult {
  const { transcript, checks, raw, judgements } = result;
  // Most results contain no secret.
  if (isClean(JSON.stringify(result), transcript, mask)) return result;
  return {
    ...result,
    transcript: maskTranscript(transcript, mask),
    checks: checks.map((check) => maskCheck(check, mask)),
    raw: raw === undefined ? undefined : mask(raw),
    judgements: judgements?.map(({ ask, answer, ...said }) => ({
      ...said,
      ask: { ...ask, prompt: mask(ask.prompt) },
      answer: { ...answer, transcript: maskTranscript(answer.transcript, mask) },
    })),
  };
}
