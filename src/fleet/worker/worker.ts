import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { count, printable, secretsOf, UsageError, VERSION } from "../../base/index.ts";
import { failedAttempt, type JobResult } from "../../exam/grade/index.ts";
import { bundleFolder, removeOldBundles } from "../bundle/kept-bundles.ts";
import { NotThereYet } from "../bundle/sent-bundles.ts";
import { elsewhereKinds, isElsewhere } from "../remote-kinds.ts";
import { atMost } from "../wire/at-most.ts";
import { connect, type Link } from "../wire/connect.ts";
import { forgetQueues, forgetSession } from "../wire/housekeeping.ts";
import { type Ability, type JobMessage, keys, PROTOCOL, type Session, type Status } from "../wire/messages.ts";
import { refusalIn } from "../wire/refusal.ts";
import { createSeal, type Seal } from "../wire/seal.ts";
import { type Made, Slots } from "./slots.ts";
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
  | { type: "ended"; target: string; outcome: JobResult["transcript"]["outcome"]["status"] };

/** How often it says that it is there. */
const TELL_MS = 1_000;
/** How often it looks for runs, and while a run and this worker are still making themselves known to each other. */
const BEAT_MS = 250;
const GREETING_MS = 50;
/** How often the leases of jobs in hand are renewed. */
const RENEW_MS = 1_000;
/** Others assume it is gone when it has been silent this long. */
const STATUS_MS = 10_000;
/** With `drain`: no run for so long. */
const IDLE_MS = 10_000;

/** How long a worker waits after it could not open an exam, and for how long it tries. */
const OPEN_AGAIN_MS = 1_000;
const OPEN_FOR_MS = 5_000;

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
  /** Sessions whose exam could not be opened, since when. */
  readonly #failing = new Map<string, number>();
  readonly #slots: Slots;
  #beat = 0;
  /** Why Redis took nothing the last time. */
  #refusal: string | undefined;
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
      throw new UsageError(
        `${JSON.stringify(name)} is not a valid name for a worker.`,
        "Use letters, digits, dots, hyphens and underscores.",
      );
    for (const target of targets ?? [])
      if (!isElsewhere(target))
        throw new UsageError(
          `No run asks ${printable(target)} on workers (--targets).`,
          `Workers take ${elsewhereKinds.join(", ")}.`,
        );
    this.#self = {
      id: randomUUID(),
      name,
      slots: jobs,
      only: targets,
      env,
      secrets: [...secretsOf(env), ...link.secrets],
      folder: bundleFolder(env),
      say: (text) => options.on({ type: "notice", text }),
    };
    this.#slots = new Slots({
      link,
      seal,
      self: this.#self,
      lanes: () => this.#lanes(),
      make: (session, message) => this.#make(session, message),
    });
    removeOldBundles(this.#self.folder);
  }

  async run(): Promise<number> {
    const { finish, stop, on } = this.#options;
    on({ type: "ready", name: this.#self.name, place: this.#link.place, can: this.#can });
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = () => {
        this.#over = true;
        this.#slots.end();
        resolve();
      };
    });
    for (const signal of [finish, stop]) {
      if (signal.aborted) end();
      signal.addEventListener("abort", end, { once: true });
    }
    const beats = this.#beats(end);
    const locks = setInterval(() => this.#slots.renew(), RENEW_MS);
    const worked = this.#slots.work();
    await ended;
    // What is in hand is finished, unless it is to be dropped: then others take it at once.
    const dropped = new Promise<void>((resolve) => {
      if (stop.aborted) resolve();
      stop.addEventListener("abort", () => resolve(), { once: true });
    });
    await Promise.race([worked, dropped]);
    if (stop.aborted) await atMost(2_000, this.#slots.drop());
    clearInterval(locks);
    await atMost(10_000, Promise.all([...this.#sessions.values()].map((session) => session.close())));
    await atMost(
      2_000,
      beats.then(() => this.#leave()),
    );
    return this.#slots.trials;
  }

  /** Says that it is there, and looks who needs it. */
  async #beats(end: () => void): Promise<void> {
    let toldAt = Number.NEGATIVE_INFINITY;
    while (!this.#over || !this.#slots.isEmpty) {
      try {
        if (performance.now() - toldAt > TELL_MS - GREETING_MS) {
          await this.#tell();
          toldAt = performance.now();
        }
        await this.#lookForSessions();
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
    const running = Object.fromEntries(
      [...this.#sessions.values()].map((session) => [session.id, [...session.running]]),
    );
    const can = { ...this.#can, only: only === undefined ? undefined : [...only] };
    const status: Status = {
      worker: id,
      name,
      protocol: PROTOCOL,
      version: VERSION,
      slots,
      can,
      beat: ++this.#beat,
      running,
    };
    const told = this.#link.redis
      .pipeline()
      .set(keys.worker(id), this.#seal.close("status", "", status), "PX", STATUS_MS)
      .sadd(keys.workers, id);
    const refusal = refusalIn(await told.exec());
    if (refusal !== undefined && this.#refusal === undefined)
      this.#self.say(`${this.#link.place} refuses what it is sent, and is tried again: ${refusal}.`);
    this.#refusal = refusal;
  }

  async #leave(): Promise<void> {
    const { id } = this.#self;
    await this.#link.redis.pipeline().del(keys.worker(id)).srem(keys.workers, id).exec();
  }

  async #lookForSessions(): Promise<void> {
    const { redis } = this.#link;
    // One that is to end joins no other run, but hears when those that it still works for are over.
    const others = this.#over ? [] : await redis.smembers(keys.sessions);
    const ids = new Set([...others, ...this.#sessions.keys()]);
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
      if (known === undefined) return;
      await this.#end(known);
      await forgetQueues(this.#link, id, known.targets);
      return;
    }
    const joined = known ?? new WorkerSession(session, this.#link, this.#seal, this.#self);
    this.#sessions.set(id, joined);
    const lanes = joined.lanes.size;
    await joined.look(session);
    if (joined.lanes.size > lanes) this.#slots.lookAgain();
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
    if (session.trials > 0)
      this.#self.say(`Run ${session.id.slice(0, 8)} is over: ${count(session.trials, "trial")} ran here.`);
  }

  /** undefined: it could not be begun here, and is given back. */
  async #make(session: WorkerSession, { exam: ref, job }: JobMessage): Promise<Made | undefined> {
    const exam = await session.open(ref).catch((error: unknown) => this.#cannotOpen(session, error));
    if (exam === undefined) return undefined;
    this.#failing.delete(session.id);
    const { pool, local, mask, targets, library } = exam;
    this.#options.on({ type: "started", target: job.target, prompt: job.ask.prompt });
    const refusal = refusalOf(() => targets.get(job.target)?.admit?.(library));
    const result = refusal ?? (await pool.execute(local(job), session.stop.signal));
    this.#options.on({ type: "ended", target: job.target, outcome: result.transcript.outcome.status });
    return { result, mask };
  }

  /** Others may be able to; one that fails again and again for its own reasons leaves the run to them. */
  async #cannotOpen(session: WorkerSession, error: unknown): Promise<undefined> {
    const why = error instanceof Error ? error.message : String(error);
    this.#self.say(`A trial was handed back: ${why}.`);
    await new Promise((resolve) => setTimeout(resolve, OPEN_AGAIN_MS));
    if (error instanceof NotThereYet) return;
    const since = this.#failing.get(session.id) ?? performance.now();
    this.#failing.set(session.id, since);
    if (performance.now() - since > OPEN_FOR_MS) await session.leave(`it cannot open the exam: ${why}`);
  }

  #lanes(): Lane[] {
    return [...this.#sessions.values()].flatMap((session) => [...session.lanes.values()]);
  }
}

function refusalOf(admit: () => void): JobResult | undefined {
  try {
    admit();
    return undefined;
  } catch (error) {
    return failedAttempt({
      reason: "blocked",
      message: error instanceof Error ? error.message : String(error),
      retryable: false,
    });
  }
}
