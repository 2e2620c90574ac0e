import type { JobJson, Job as QueueJob } from "bullmq";
import type { Mask } from "../../base/index.ts";
import { failedAttempt, type JobResult } from "../../exam/grade/index.ts";
import { Pace } from "../pace.ts";
import type { Link } from "../wire/connect.ts";
import type { JobMessage, ResultMessage } from "../wire/messages.ts";
import { sendResults } from "../wire/results.ts";
import type { Seal } from "../wire/seal.ts";
import { Alone } from "./exclusive-gate.ts";
import { masked } from "./masked-result.ts";
import { Bell } from "./signal.ts";
import type { Lane, Self, WorkerSession } from "./worker-session.ts";

export interface HandOptions {
  link: Link;
  seal: Seal;
  self: Self;
  /** The queues it may take from now. */
  lanes(): Lane[];
  /** Makes a trial; undefined: it cannot be begun here now, and is given back. */
  make(session: WorkerSession, message: JobMessage): Promise<Made | undefined>;
}

export interface Made {
  result: JobResult;
  /** What must not leave this machine. */
  mask?: Mask;
}

/** A job in hand: ready, under way, or with its result on the way. */
interface Taken {
  lane: Lane;
  job: QueueJob;
  token: string;
  message: JobMessage;
  /** When it came. */
  at: number;
}

/** Workers that ended during a trial before it is made alone. */
const SUSPECT_STALLS = 2;
/** Answered deliveries that are remembered. */
const MOST_DONE = 10_000;
/** How long to wait before looking for a job again: a twentieth of what was waited so far, at least and at most this. */
const LOOK_MS = [4, 200] as const;
/** As many jobs are taken ahead as trials ended within this time: about those that will begin within it. */
const AHEAD_MS = 50;
/** Results are sent together where no slot waits for the next job: every message wakes three processes. */
const GATHER_MS = 15;
/** How long to wait before what Redis refused is sent again. */
const STORE_AGAIN_MS = 500;
/** What is still not begun after this long is given back: trials have become longer. */
const READY_MS = 250;

/**
 * What a worker has in hand. Its slots begin the next trial at once, where trials are so short that waiting for Redis would count: a few jobs
 * lie ready, and results are sent while the next trials are already under way.
 */
export class Hand {
  readonly #options: HandOptions;
  readonly #taken = new Set<Taken>();
  /** Taken and not begun, the oldest first. */
  #ready: Taken[] = [];
  /** Jobs that Redis was asked for. */
  #coming = 0;
  #ended: { taken: Taken; made: Made; sent(): void }[] = [];
  #sending: NodeJS.Timeout | undefined;
  readonly #pace = new Pace(AHEAD_MS);
  readonly #alone = new Alone();
  /** Slots that have nothing to do, whoever fetches for them, and the one who looks where there was nothing. */
  readonly #idle = new Bell();
  readonly #wanted = new Bell();
  readonly #looking = new Bell();
  readonly #working = new Set<Promise<void>>();
  #turn = 0;
  #tokens = 0;
  #over = false;
  trials = 0;

  constructor(options: HandOptions) {
    this.#options = options;
  }

  get isEmpty(): boolean {
    return this.#taken.size === 0;
  }

  /** Takes jobs and makes trials until it is told to end, and all that was begun is answered. */
  async work(): Promise<void> {
    const tidying = setInterval(() => this.#tidy(), READY_MS / 2);
    try {
      await Promise.all([this.#fetch(), ...Array.from({ length: this.#options.self.slots }, () => this.#slot())]);
      await Promise.all(this.#working);
    } finally {
      clearInterval(tidying);
    }
  }

  /** Nothing more is taken, and what is not begun is given back. */
  end(): void {
    this.#over = true;
    for (const bell of [this.#idle, this.#wanted, this.#looking]) bell.ring();
    this.#inBackground(this.#giveBack(this.#ready.splice(0)));
  }

  /** All of it, for other workers, at once. */
  drop(): Promise<void> {
    return this.#giveBack([...this.#taken]);
  }

  /** There are queues that were not there before. */
  lookAgain(): void {
    this.#looking.ring();
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

  /** One of the trials at once. */
  async #slot(): Promise<void> {
    while (!this.#over) {
      if (this.#alone.isTaken) {
        await this.#alone.free();
        continue;
      }
      const taken = this.#ready.shift();
      if (taken !== undefined)
        await new Promise<void>((made) => this.#inBackground(this.#alone.beside(() => this.#make(taken, made))));
      else {
        const rung = this.#idle.wait();
        // With the receipts of what has ended the next jobs may come.
        if (this.#sending !== undefined) setImmediate(() => this.#send());
        this.#wanted.ring();
        await rung;
      }
    }
  }

  /** Makes the trial and sends its result; the slot is free again as soon as it is made. */
  async #make(taken: Taken, free: () => void): Promise<void> {
    const { lane, message } = taken;
    const { session } = lane;
    try {
      if (session.stop.signal.aborted) return;
      session.running.add(message.id);
      const made = await this.#trial(taken).catch((error: unknown) => ({ result: crashed(error) }));
      this.#pace.note();
      free();
      if (made === undefined) return await this.#giveBack([taken]);
      // The run is over, or this was given back meanwhile.
      if (session.stop.signal.aborted || !this.#taken.has(taken)) return;
      session.done.add(deliveryOf(message));
      if (session.done.size > MOST_DONE) session.done.delete(session.done.values().next().value!);
      await new Promise<void>((sent) => {
        this.#ended.push({ taken, made, sent });
        this.#sending ??= setTimeout(() => this.#send(), GATHER_MS);
      });
    } finally {
      free();
      session.running.delete(message.id);
      this.#taken.delete(taken);
    }
  }

  async #trial({ lane: { session }, job, message }: Taken): Promise<Made | undefined> {
    if (job.deferredFailure) return { result: lostWorkers() };
    if (job.stalledCounter < SUSPECT_STALLS) return this.#options.make(session, message);
    // Nothing else must be in hand when a suspect ends this process.
    const cleared = this.#giveBack(this.#ready.splice(0));
    return this.#alone.alone(() => cleared.then(() => this.#options.make(session, message)));
  }

  /** The results first: should this process end between the two, the trial is made again, and the second result is dropped. */
  #send(): void {
    clearTimeout(this.#sending);
    this.#sending = undefined;
    const { seal, self } = this.#options;
    const ended = this.#ended.splice(0);
    const bySession = new Map<WorkerSession, typeof ended>();
    for (const one of ended) {
      const { session } = one.taken.lane;
      bySession.set(session, [...(bySession.get(session) ?? []), one]);
    }
    for (const [session, ones] of bySession) {
      const sealed = ones.map(({ taken: { message }, made: { result, mask } }) => {
        const portable = mask === undefined ? result : masked(result, mask);
        return seal.close("result", session.id, {
          id: message.id,
          worker: self.id,
          name: self.name,
          result: portable,
        } satisfies ResultMessage);
      });
      const stored = this.#store(session, sealed);
      session.trials += ones.length;
      this.trials += ones.length;
      for (const { taken, sent } of ones) void Promise.allSettled([stored, this.#receipt(taken)]).then(sent);
    }
    this.#wanted.ring();
  }

  /** A Redis that is full for now, say, refuses it; what was measured is sent again until it is taken, or its run is over. */
  async #store(session: WorkerSession, sealed: readonly string[]): Promise<void> {
    while (!session.stop.signal.aborted) {
      try {
        await sendResults(this.#options.link.redis, session.id, sealed);
        return;
      } catch {
        await new Promise((resolve) => setTimeout(resolve, STORE_AGAIN_MS));
      }
    }
  }

  /** Tells the queue, which may give the next job in return. The lease may be lost: Redis was restarted, or this worker was silent for too long. The result is there all the same. */
  async #receipt({ lane, job, token }: Taken): Promise<void> {
    const wantsNext = this.#options.lanes().length === 1 && this.#room() > 0;
    if (!wantsNext) return void (await job.moveToCompleted("", token, false).catch(() => {}));
    this.#coming++;
    const next = (await job.moveToCompleted("", token, true).catch(() => undefined)) as [JobJson?, string?] | undefined;
    this.#coming--;
    const [data, id] = next ?? [];
    if (data && id) await this.#arrive(lane, this.#options.link.bull.Job.fromJSON(lane.queue, data, id), token);
    else this.#wanted.ring();
  }

  /** Fetches what slots wait for, and a little more; where there is nothing, it looks less often as time goes by. */
  async #fetch(): Promise<void> {
    let since: number | undefined;
    while (!this.#over) {
      await this.#alone.free();
      // What has just ended is sent first: its receipt may bring the next job along.
      await new Promise(setImmediate);
      if (this.#room() <= 0) {
        if (!this.#over) await this.#wanted.wait();
        continue;
      }
      if (await this.#alone.beside(() => this.#take())) {
        since = undefined;
        await this.#alone.beside(() =>
          Promise.all(Array.from({ length: Math.max(0, this.#room()) }, () => this.#take())),
        );
        continue;
      }
      const now = performance.now();
      since ??= now;
      const ms = Math.min(Math.max((now - since) / 20, LOOK_MS[0]), LOOK_MS[1]);
      const looked = this.#options.lanes().length;
      if (!this.#over) await this.#looking.wait(ms);
      if (this.#options.lanes().length > looked) since = undefined;
    }
  }

  /** How many more jobs are to be fetched. */
  #room(): number {
    if (this.#over || this.#alone.isTaken) return 0;
    const ahead = Math.min(this.#options.self.slots, this.#pace.ended());
    return this.#idle.waiting + ahead - this.#ready.length - this.#coming;
  }

  /** The next job of any queue, queues taking turns. A lost connection is none: what was taken unheard comes back when its lease ends. */
  async #take(): Promise<boolean> {
    const lanes = this.#options.lanes();
    this.#coming++;
    try {
      for (let tried = 0; tried < lanes.length && !this.#over; tried++) {
        // `!`: a remainder of the length.
        const lane = lanes[this.#turn++ % lanes.length]!;
        const token = `${this.#options.self.id} ${++this.#tokens}`;
        const job = (await lane.queue.getNextJob(token, { block: false }).catch(() => undefined)) as
          | QueueJob
          | undefined;
        if (job === undefined) continue;
        await this.#arrive(lane, job, token);
        return true;
      }
      return false;
    } finally {
      this.#coming--;
    }
  }

  /** A job has come: it lies ready, for the slot that is free first. */
  async #arrive(lane: Lane, job: QueueJob, token: string): Promise<void> {
    const { session } = lane;
    const id = job.id ?? "";
    const { sealed } = job.data as { sealed?: unknown };
    const message = this.#options.seal.open<JobMessage>("job", session.id, sealed);
    if (message?.id !== id || session.done.has(deliveryOf(message))) {
      // Where there is nothing at all, a Redis that was full has dropped it: the run hands it out again.
      if (message === undefined && sealed !== undefined)
        this.#options.self.say("A job is refused: it is not signed with this PROCTOR_FLEET_KEY.");
      await job.moveToCompleted("", token, false).catch(() => {});
      return;
    }
    // This worker was silent for longer than its lease: what it has in hand goes on under the new one.
    for (const one of this.#taken)
      if (one.lane.session === session && one.message.id === id) return void Object.assign(one, { job, token });
    const taken: Taken = { lane, job, token, message, at: performance.now() };
    if (this.#over || this.#alone.isTaken) return this.#giveBack([taken]);
    this.#taken.add(taken);
    this.#ready.push(taken);
    this.#idle.ring(1);
  }

  /** Gives back what could not be begun for a while. What was taken for a run that is over is nobody's. */
  #tidy(): void {
    const now = performance.now();
    const late = this.#ready.filter(({ at, lane }) => now - at > READY_MS || lane.session.stop.signal.aborted);
    if (late.length === 0) return;
    this.#ready = this.#ready.filter((taken) => !late.includes(taken));
    this.#inBackground(this.#giveBack(late));
  }

  async #giveBack(taken: readonly Taken[]): Promise<undefined> {
    for (const one of taken) this.#taken.delete(one);
    const live = taken.filter(({ lane }) => !lane.session.stop.signal.aborted);
    await Promise.allSettled(live.map(({ job, token }) => job.moveToWait(token)));
  }

  /** Is waited for at the end. */
  #inBackground(work: Promise<unknown>): void {
    const done = work.then(
      () => {},
      () => {},
    );
    this.#working.add(done);
    void done.then(() => this.#working.delete(done));
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
