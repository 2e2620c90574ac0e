import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { JobJson, Job as QueueJob } from "bullmq";
import { count, UsageError, VERSION } from "../../base/index.ts";
import type { JobResult } from "../../sitting/index.ts";
import { bundleFolder, removeOldBundles } from "../bundle/kept-bundles.ts";
import { atMost } from "../wire/at-most.ts";
import { connect, type Link } from "../wire/connect.ts";
import { forgetSession } from "../wire/housekeeping.ts";
import { type Ability, type JobMessage, keys, PROTOCOL, type ResultMessage, type Session, type Status } from "../wire/messages.ts";
import { createSeal, type Seal } from "../wire/seal.ts";
import { Alone } from "./alone.ts";
import { masked } from "./masked-result.ts";
import { type Lane, type Self, WorkerSession } from "./worker-session.ts";

export interface WorkerSettings {
  env: NodeJS.ProcessEnv;
  /** Trials at once. */
  jobs: number;
  name?: string;
  /** The only targets it takes. */
  targets?: readonly string[];
  /** Ends when no run needs it. */
  drain?: boolean;
  /** What this machine can run; asked once it is connected. */
  can(): Promise<Omit<Ability, "only">>;
  /** Fires when it is to end: what runs is finished, and nothing new is taken. */
  finish: AbortSignal;
  /** Fires when what runs is to be given back. */
  stop: AbortSignal;
  on(event: WorkerEvent): void;
}

export type WorkerEvent =
  /** It is connected, and waits for runs. */
  | { type: "ready"; name: string; place: string; can: Omit<Ability, "only"> }
  | { type: "notice"; text: string }
  | { type: "started"; target: string; prompt: string }
  | { type: "ended"; target: string; result: JobResult };

/** How often it says that it is there. */
const TELL_MS = 1_000;
/** How often it looks for runs, and while a run and this worker are still making themselves known to each other. */
const BEAT_MS = 250;
const GREETING_MS = 50;
/** Workers that ended during a trial before it is made alone. */
const SUSPECT_STALLS = 2;
/** Answered deliveries that are remembered. */
const MOST_DONE = 10_000;
/** How often the leases of jobs in hand are renewed. */
const RENEW_MS = 1_000;
/** Others take it for gone when it was silent for so long. */
const STATUS_MS = 10_000;
/** With `drain`: no run for so long. */
const IDLE_MS = 10_000;
/** How long to wait before looking for a job again: a twentieth of what was waited so far, at least and at most this. */
const LOOK_MS = [4, 200] as const;

/** Takes jobs that runs put into Redis until it is told to end; returns how many trials it made. */
export async function runWorker(url: string, options: WorkerSettings): Promise<number> {
  const seal = createSeal(options.env);
  const { on } = options;
  const link = await connect(url, (fault) =>
    on({ type: "notice", text: fault === undefined ? `${link.place} answers again.` : `${fault}. The run continues.` }),
  );
  try {
    return await new FleetWorker(link, seal, options, await options.can()).run();
  } finally {
    link.close();
  }
}

/** A job in hand. */
interface Taken {
  lane: Lane;
  job: QueueJob;
  token: string;
}

class FleetWorker {
  readonly #link: Link;
  readonly #seal: Seal;
  readonly #options: WorkerSettings;
  readonly #self: Self;
  readonly #can: Omit<Ability, "only">;
  readonly #sessions = new Map<string, WorkerSession>();
  /** Sessions that were not found, since when. */
  readonly #missing = new Map<string, number>();
  readonly #ignored = new Set<string>();
  readonly #taken = new Set<Taken>();
  readonly #alone = new Alone();
  #turn = 0;
  #beat = 0;
  #scout: Promise<void> | undefined;
  #trials = 0;
  #tokens = 0;
  #idleSince = performance.now();
  #over = false;

  constructor(link: Link, seal: Seal, options: WorkerSettings, can: Omit<Ability, "only">) {
    this.#link = link;
    this.#can = can;
    this.#seal = seal;
    this.#options = options;
    const { env, jobs, targets } = options;
    const name = options.name ?? `${hostname()}-${process.pid}`;
    if (!/^[\w.-]{1,80}$/.test(name))
      throw new UsageError(`${JSON.stringify(name)} is no name for a worker.`, "Use letters, digits, dots, hyphens and underscores.");
    this.#self = {
      id: randomUUID(),
      name,
      slots: jobs,
      only: targets,
      env,
      folder: bundleFolder(env),
      say: (text) => options.on({ type: "notice", text }),
    };
    removeOldBundles(this.#self.folder);
  }

  async run(): Promise<number> {
    const { finish, stop, on } = this.#options;
    on({ type: "ready", name: this.#self.name, place: this.#link.place, can: this.#can });
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = () => {
        this.#over = true;
        resolve();
      };
    });
    for (const signal of [finish, stop]) {
      if (signal.aborted) end();
      signal.addEventListener("abort", end, { once: true });
    }
    const beats = this.#beats(end);
    const locks = setInterval(() => this.#renew(), RENEW_MS);
    const slots = Promise.all(Array.from({ length: this.#self.slots }, () => this.#slot()));
    await ended;
    // What is in hand is finished, unless it is to be dropped: then others take it at once.
    const dropped = new Promise<void>((resolve) => {
      if (stop.aborted) resolve();
      stop.addEventListener("abort", () => resolve(), { once: true });
    });
    await Promise.race([slots, dropped]);
    if (stop.aborted) await atMost(2_000, this.#giveBack([...this.#taken]));
    clearInterval(locks);
    await atMost(10_000, Promise.all([...this.#sessions.values()].map((session) => session.close())));
    await atMost(
      2_000,
      beats.then(() => this.#leave()),
    );
    return this.#trials;
  }

  /** Says that it is there, and looks who needs it. */
  async #beats(end: () => void): Promise<void> {
    let toldAt = Number.NEGATIVE_INFINITY;
    while (!this.#over || this.#taken.size > 0) {
      try {
        if (performance.now() - toldAt > TELL_MS - GREETING_MS) {
          await this.#tell();
          toldAt = performance.now();
        }
        if (!this.#over) await this.#lookForSessions();
      } catch {
        // The connection was lost in the middle; the next beat does it again.
      }
      if (this.#sessions.size > 0) this.#idleSince = performance.now();
      if (this.#options.drain && performance.now() - this.#idleSince > IDLE_MS) end();
      const isGreeting = [...this.#sessions.values()].some((session) => session.isGreeting);
      await new Promise((resolve) => setTimeout(resolve, isGreeting ? GREETING_MS : BEAT_MS));
    }
  }

  async #tell(): Promise<void> {
    const { id, name, slots, only } = this.#self;
    const running = Object.fromEntries([...this.#sessions.values()].map((session) => [session.id, [...session.running]]));
    const can = { ...this.#can, only: only === undefined ? undefined : [...only] };
    const status: Status = { worker: id, name, protocol: PROTOCOL, version: VERSION, slots, can, beat: ++this.#beat, running };
    await this.#link.redis
      .pipeline()
      .set(keys.worker(id), this.#seal.close("status", "", status), "PX", STATUS_MS)
      .sadd(keys.workers, id)
      .exec();
  }

  async #leave(): Promise<void> {
    const { id } = this.#self;
    await this.#link.redis.pipeline().del(keys.worker(id)).srem(keys.workers, id).exec();
  }

  async #lookForSessions(): Promise<void> {
    const { redis } = this.#link;
    const ids = new Set([...(await redis.smembers(keys.sessions)), ...this.#sessions.keys()]);
    for (const id of ids) {
      if (this.#sessions.get(id)?.isDue === false) continue;
      const sealed = await redis.get(keys.session(id));
      if (sealed === null) await this.#miss(id);
      else await this.#see(id, sealed);
    }
  }

  async #see(id: string, sealed: string): Promise<void> {
    this.#missing.delete(id);
    const session = this.#seal.open<Session>("session", id, sealed);
    const known = this.#sessions.get(id);
    if (session === undefined || session.id !== id) {
      if (this.#ignored.has(id)) return;
      this.#ignored.add(id);
      this.#self.say("A run is ignored: it is not signed with this PROCTOR_FLEET_KEY.");
      return;
    }
    if (session.ended) {
      if (known !== undefined) await this.#end(known);
      return;
    }
    const joined = known ?? new WorkerSession(session, this.#link, this.#seal, this.#self);
    this.#sessions.set(id, joined);
    await joined.look(session);
  }

  /** A Redis that lost its data is told again by the run; a run that does not speak for a whole lease is gone. */
  async #miss(id: string): Promise<void> {
    const since = this.#missing.get(id) ?? performance.now();
    this.#missing.set(id, since);
    const known = this.#sessions.get(id);
    if (known === undefined || performance.now() - since < known.leaseMs) return;
    this.#missing.delete(id);
    await forgetSession(this.#link.redis, id);
    await this.#end(known);
  }

  async #end(session: WorkerSession): Promise<void> {
    this.#sessions.delete(session.id);
    await session.close();
    if (session.trials > 0) this.#self.say(`Run ${session.id.slice(0, 8)} is over: ${count(session.trials, "trial")} made here.`);
  }

  /** One of the trials at once. */
  async #slot(): Promise<void> {
    while (!this.#over) {
      await this.#alone.free();
      // Where there was nothing, one slot looks for all.
      if (this.#scout !== undefined) {
        await this.#scout;
        continue;
      }
      await this.#alone.beside(async () => {
        let taken = (await this.#take()) ?? (await this.#lookOut());
        while (taken !== undefined) taken = await this.#work(taken);
      });
    }
  }

  /** Looks until there is a job again, less often as time goes by. */
  #lookOut(): Promise<Taken | undefined> | undefined {
    if (this.#scout !== undefined) return undefined;
    const look = async (): Promise<Taken | undefined> => {
      const since = performance.now();
      while (!this.#over && !this.#alone.isTaken) {
        const ms = Math.min(Math.max((performance.now() - since) / 20, LOOK_MS[0]), LOOK_MS[1]);
        await new Promise((resolve) => setTimeout(resolve, ms));
        const taken = await this.#take();
        if (taken !== undefined) return taken;
      }
      return undefined;
    };
    const found = look();
    this.#scout = found.then(() => {
      this.#scout = undefined;
    });
    return found;
  }

  /** The next job of any queue, queues taking turns. A lost connection is none: what was taken unheard comes back when its lease ends. */
  async #take(): Promise<Taken | undefined> {
    const lanes = this.#lanes();
    for (let tried = 0; tried < lanes.length && !this.#over; tried++) {
      // `!`: a remainder of the length.
      const lane = lanes[this.#turn++ % lanes.length]!;
      const token = `${this.#self.id} ${++this.#tokens}`;
      const job = (await lane.queue.getNextJob(token, { block: false }).catch(() => undefined)) as QueueJob | undefined;
      if (job !== undefined) return { lane, job, token };
    }
    return undefined;
  }

  /** Makes the trial; returns the next one, where that came with the receipt. */
  async #work(taken: Taken): Promise<Taken | undefined> {
    const { lane, job, token } = taken;
    const { session } = lane;
    const id = job.id ?? "";
    const message = this.#seal.open<JobMessage>("job", session.id, (job.data as { sealed?: unknown }).sealed);
    if (message?.id !== id || session.done.has(deliveryOf(message))) {
      if (message === undefined) this.#self.say("A job is refused: it is not signed with this PROCTOR_FLEET_KEY.");
      await job.moveToCompleted("", token, false).catch(() => {});
      return undefined;
    }
    // This worker was silent for longer than its lease: what it has in hand goes on under the new one.
    const inHand = [...this.#taken].find((one) => one.lane.session === session && one.job.id === id);
    if (inHand !== undefined) return void Object.assign(inHand, { job, token });
    // It must not be in hand when a suspect ends this process.
    if (this.#alone.isTaken || this.#over) return this.#giveBack([taken]);
    this.#taken.add(taken);
    session.running.add(id);
    try {
      const execute = () => this.#execute(session, message);
      const isSuspect = job.stalledCounter >= SUSPECT_STALLS;
      const made = job.deferredFailure ? Promise.resolve(lostWorkers()) : isSuspect ? this.#alone.alone(execute) : execute();
      const result = await made.catch((error: unknown) =>
        failed("crash", `The worker failed: ${error instanceof Error ? error.message : error}`),
      );
      if (result === undefined) return this.#giveBack([taken]);
      if (session.stop.signal.aborted || !this.#taken.has(taken)) return undefined;
      session.done.add(deliveryOf(message));
      if (session.done.size > MOST_DONE) session.done.delete(session.done.values().next().value!);
      return await this.#send(session, id, result, taken);
    } finally {
      session.running.delete(id);
      this.#taken.delete(taken);
    }
  }

  /** undefined: it could not be begun here, and is given back. */
  async #execute(session: WorkerSession, { exam: ref, job }: JobMessage): Promise<JobResult | undefined> {
    const exam = await session.open(ref).catch((error: unknown) => {
      this.#self.say(`A trial is given back: ${error instanceof Error ? error.message : String(error)}.`);
    });
    if (exam === undefined) {
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      return undefined;
    }
    const { pool, local, mask, targets, library } = exam;
    this.#options.on({ type: "started", target: job.target, prompt: job.ask.prompt });
    const refusal = refusalOf(() => targets.get(job.target)?.admit?.(library));
    const result = refusal ?? masked(await pool.execute(local(job), session.stop.signal), mask);
    this.#options.on({ type: "ended", target: job.target, result });
    return result;
  }

  /** The result first: should this process end between the two, the trial is made again, and the second result is dropped. */
  async #send(session: WorkerSession, id: string, result: JobResult, { lane, job, token }: Taken): Promise<Taken | undefined> {
    const { redis } = this.#link;
    const { id: worker, name } = this.#self;
    const sealed = this.#seal.close("result", session.id, { id, worker, name, result } satisfies ResultMessage);
    const sent = redis.rpush(keys.results(session.id), sealed);
    session.trials++;
    this.#trials++;
    // The lock may be lost: Redis was restarted, or this worker was silent for too long. The result is there all the same.
    const wantsNext = this.#lanes().length === 1 && !this.#over && !this.#alone.isTaken;
    const [, next] = await Promise.all([sent, job.moveToCompleted("", token, wantsNext).catch(() => undefined)]);
    const [data, following] = (wantsNext ? (next ?? []) : []) as [JobJson?, string?];
    return data && following ? { lane, token, job: this.#link.bull.Job.fromJSON(lane.queue, data, following) } : undefined;
  }

  #renew(): void {
    const lanes = new Map<Lane, Taken[]>();
    for (const taken of this.#taken) lanes.set(taken.lane, [...(lanes.get(taken.lane) ?? []), taken]);
    for (const [{ queue, session }, taken] of lanes)
      queue
        .extendJobLocks(
          taken.map(({ job }) => job.id ?? ""),
          taken.map(({ token }) => token),
          session.leaseMs,
        )
        .catch(() => {});
  }

  #lanes(): Lane[] {
    return [...this.#sessions.values()].flatMap((session) => [...session.lanes.values()]);
  }

  /** For other workers, at once. */
  async #giveBack(taken: readonly Taken[]): Promise<undefined> {
    for (const one of taken) this.#taken.delete(one);
    await Promise.allSettled(taken.map(({ job, token }) => job.moveToWait(token)));
  }
}

function refusalOf(admit: () => void): JobResult | undefined {
  try {
    admit();
    return undefined;
  } catch (error) {
    return failed("blocked", error instanceof Error ? error.message : String(error));
  }
}

function lostWorkers(): JobResult {
  return failed("lost_workers", "Three workers ended while they made this trial, so it is not begun again");
}

function deliveryOf({ id, delivery }: JobMessage): string {
  return `${id} ${delivery}`;
}

function failed(reason: "blocked" | "crash" | "lost_workers", message: string): JobResult {
  const outcome = { status: "error" as const, error: { reason, message, retryable: false } };
  const transcript = { outcome, activations: [], calls: [], texts: [], finalText: "", turns: 0, how: "error" as const };
  return { startedAt: new Date().toISOString(), ms: 0, transcript, checks: [] };
}
