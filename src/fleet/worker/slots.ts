import type { Job as QueueJob } from "bullmq";
import type { Mask } from "../../base/index.ts";
import { failedAttempt, type JobResult } from "../../exam/grade/index.ts";
import type { Link } from "../wire/connect.ts";
import type { JobMessage, ResultMessage } from "../wire/messages.ts";
import { sendResults } from "../wire/results.ts";
import type { Seal } from "../wire/seal.ts";
import { ExclusiveGate } from "./exclusive-gate.ts";
import { masked } from "./masked-result.ts";
import type { Lane, Self, WorkerSession } from "./worker-session.ts";

export interface SlotsOptions {
  link: Link;
  seal: Seal;
  self: Self;
  /** The queues this worker may take jobs from now. */
  lanes(): Lane[];
  /** Makes a trial. Undefined: it cannot begin here now, and the job goes back to its queue. */
  make(session: WorkerSession, message: JobMessage): Promise<Made | undefined>;
}

export interface Made {
  result: JobResult;
  /** What must not leave this machine. */
  mask?: Mask;
}

/** A job in hand: under way, or with its result on the way. */
interface Taken {
  lane: Lane;
  job: QueueJob;
  token: string;
  message: JobMessage;
}

/** Workers that may end during a trial before it runs alone. */
const SUSPECT_STALLS = 2;
/** Answered deliveries that are remembered. */
const MOST_DONE = 10_000;
/** The pause before looking for a job again is a twentieth of the time without one, within these bounds. */
const LOOK_MS = [4, 200] as const;
/** How long to wait before what Redis refused is sent again. */
const STORE_AGAIN_MS = 500;

/** The slots of a worker. Each takes a job, makes its trial, sends the result, and only then takes the next. */
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

  /** Resolves once `end` was called and all that had begun is answered. */
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
    const lanes = new Map<Lane, Taken[]>();
    for (const taken of this.#taken) lanes.set(taken.lane, [...(lanes.get(taken.lane) ?? []), taken]);
    for (const [{ queue, session }, taken] of lanes)
      queue
        .extendJobLocks(
          taken.map(({ message }) => message.id),
          taken.map(({ token }) => token),
          session.leaseMs,
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
    const lanes = this.#options.lanes();
    for (let tried = 0; tried < lanes.length && !this.#over; tried++) {
      // `!`: a remainder of the length.
      const lane = lanes[this.#turn++ % lanes.length]!;
      const token = `${this.#options.self.id} ${++this.#tokens}`;
      const job = (await lane.queue.getNextJob(token, { block: false }).catch(() => undefined)) as QueueJob | undefined;
      const taken = job === undefined ? undefined : await this.#accept(lane, job, token);
      if (taken !== undefined) return taken;
    }
    return undefined;
  }

  async #accept(lane: Lane, job: QueueJob, token: string): Promise<Taken | undefined> {
    const { session } = lane;
    const id = job.id ?? "";
    const { sealed } = job.data as { sealed?: unknown };
    const message = this.#options.seal.open<JobMessage>("job", session.id, sealed);
    if (message?.id !== id || session.done.has(deliveryOf(message))) {
      // With no data at all, a Redis that was full has dropped it: the run hands it out again.
      if (message === undefined && sealed !== undefined)
        this.#options.self.say("A job is refused: it is not signed with this PROCTOR_FLEET_KEY.");
      await job.moveToCompleted("", token, false).catch(() => {});
      return undefined;
    }
    // This worker was silent for longer than its lease: what it has in hand goes on under the new one.
    for (const one of this.#taken)
      if (one.lane.session === session && one.message.id === id) {
        Object.assign(one, { job, token });
        return undefined;
      }
    const taken: Taken = { lane, job, token, message };
    this.#taken.add(taken);
    if (!this.#over) return taken;
    await this.#giveBack(taken);
    return undefined;
  }

  async #make(taken: Taken): Promise<void> {
    const { lane, message } = taken;
    const { session } = lane;
    try {
      if (session.stop.signal.aborted) return;
      session.running.add(message.id);
      const made = await this.#trial(taken).catch((error: unknown) => ({ result: crashed(error) }));
      if (made === undefined) return await this.#giveBack(taken);
      // The run is over, or this was given back meanwhile.
      if (session.stop.signal.aborted || !this.#taken.has(taken)) return;
      session.done.add(deliveryOf(message));
      if (session.done.size > MOST_DONE) session.done.delete(session.done.values().next().value!);
      await this.#answer(taken, made);
    } finally {
      session.running.delete(message.id);
      this.#taken.delete(taken);
    }
  }

  async #trial({ lane: { session }, job, message }: Taken): Promise<Made | undefined> {
    if (job.deferredFailure) return { result: lostWorkers() };
    const make = () => this.#options.make(session, message);
    // Nothing else must be in hand when a suspect ends this process.
    return job.stalledCounter < SUSPECT_STALLS ? make() : this.#gate.alone(make);
  }

  /** The result is sent first: if this process ends in between, the trial runs again and the second result is dropped. */
  async #answer({ lane: { session }, job, token, message }: Taken, { result, mask }: Made): Promise<void> {
    const { seal, self } = this.#options;
    const answer: ResultMessage = {
      id: message.id,
      worker: self.id,
      name: self.name,
      result: mask === undefined ? result : masked(result, mask),
    };
    session.trials++;
    this.trials++;
    const stored = this.#store(session, seal.close("result", session.id, answer));
    // The lease may be lost, because Redis restarted or this worker was silent for too long. The result counts all the same.
    await Promise.allSettled([stored, job.moveToCompleted("", token, false)]);
  }

  /** Sends again what Redis refuses, because it is full for now, say, until it is taken or its run is over. */
  async #store(session: WorkerSession, sealed: string): Promise<void> {
    while (!session.stop.signal.aborted) {
      try {
        await sendResults(this.#options.link.redis, session.id, [sealed]);
        return;
      } catch {
        await new Promise((resolve) => setTimeout(resolve, STORE_AGAIN_MS));
      }
    }
  }

  async #giveBack(taken: Taken): Promise<undefined> {
    this.#taken.delete(taken);
    if (!taken.lane.session.stop.signal.aborted) await taken.job.moveToWait(taken.token).catch(() => {});
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
