import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { count, printable, secretsOf, UsageError, VERSION } from "../../base/index.ts";
import { failedAttempt, type JobResult } from "../../exam/grade/index.ts";
import { bundleFolder, removeOldBundles } from "../bundle/kept-bundles.ts";
import { NotThereYet } from "../bundle/sent-bundles.ts";
import { isRemote, remoteKinds } from "../remote-kinds.ts";
import { connect, type Link, refusalIn } from "../wire/connect.ts";
import { atMost, forgetQueues, forgetRun } from "../wire/housekeeping.ts";
import { type Ability, type JobMessage, keys, PROTOCOL, type RunMessage, type Status } from "../wire/messages.ts";
import { createSigner, type Signer } from "../wire/signature.ts";
import { type JobSource, JoinedRun, type Self } from "./joined-run.ts";
import { type Made, Slots } from "./slots.ts";

export interface WorkerSettings {
  env: NodeJS.ProcessEnv;
  jobs: number;
  name?: string;
  /** The only targets it takes. */
  targets?: readonly string[];
  /** End when no run needs the worker. */
  drain?: boolean;
  /** What this machine can run; called once connected. */
  can(): Promise<Omit<Ability, "only">>;
  /** Fires to end the worker after its running trials. */
  finish: AbortSignal;
  /** Fires to give running trials back. */
  stop: AbortSignal;
  on(event: WorkerEvent): void;
}

export type WorkerEvent =
  /** Connected, and waiting for runs. */
  | { type: "ready"; name: string; place: string; can: Omit<Ability, "only"> }
  | { type: "notice"; text: string }
  | { type: "started"; target: string; prompt: string }
  | { type: "ended"; target: string; outcome: JobResult["transcript"]["outcome"]["status"] };

/** How often it announces itself. */
const TELL_MS = 1_000;
/** How often it looks for runs, and how often while greeting one. */
const BEAT_MS = 250;
const GREETING_MS = 50;
/** How often the leases of jobs in hand are renewed. */
const RENEW_MS = 1_000;
/** Redis drops the status of a worker that has been silent this long. */
const STATUS_MS = 10_000;
/** With `drain`, ends after this long without a run. */
const IDLE_MS = 10_000;

/** Pause after an exam could not be opened, and how long to keep trying. */
const OPEN_AGAIN_MS = 1_000;
const OPEN_FOR_MS = 5_000;

/** Runs trials from Redis until told to end; returns how many it ran. */
export async function runWorker(url: string, options: WorkerSettings): Promise<number> {
  const signer = createSigner(options.env);
  const { on } = options;
  const link = await connect(url, (fault) =>
    on({ type: "notice", text: fault === undefined ? `${link.place} answers again.` : `${fault}. The run continues.` }),
  );
  try {
    return await new FleetWorker(link, signer, options, await options.can()).run();
  } finally {
    link.close();
  }
}

class FleetWorker {
  readonly #link: Link;
  readonly #signer: Signer;
  readonly #options: WorkerSettings;
  readonly #self: Self;
  readonly #can: Omit<Ability, "only">;
  readonly #runs = new Map<string, JoinedRun>();
  /** Runs that were not found, and since when. */
  readonly #missing = new Map<string, number>();
  readonly #ignored = new Set<string>();
  /** Runs whose exam could not be opened, and since when. */
  readonly #failing = new Map<string, number>();
  readonly #slots: Slots;
  #beat = 0;
  /** Why Redis refused the last status. */
  #refusal: string | undefined;
  #idleSince = performance.now();
  #over = false;

  constructor(link: Link, signer: Signer, options: WorkerSettings, can: Omit<Ability, "only">) {
    this.#link = link;
    this.#can = can;
    this.#signer = signer;
    this.#options = options;
    const { env, jobs, targets } = options;
    const name = options.name ?? `${hostname()}-${process.pid}`;
    if (!/^[\w.-]{1,80}$/.test(name))
      throw new UsageError(
        `${JSON.stringify(name)} is not a valid name for a worker.`,
        "Use letters, digits, dots, hyphens and underscores.",
      );
    for (const target of targets ?? [])
      if (!isRemote(target))
        throw new UsageError(
          `No run asks ${printable(target)} on workers (--targets).`,
          `Workers take ${remoteKinds.join(", ")}.`,
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
      signer,
      self: this.#self,
      sources: () => this.#sources(),
      make: (run, message) => this.#make(run, message),
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
    // Finish what is in hand, unless it is dropped for others to take at once.
    const dropped = new Promise<void>((resolve) => {
      if (stop.aborted) resolve();
      stop.addEventListener("abort", () => resolve(), { once: true });
    });
    await Promise.race([worked, dropped]);
    if (stop.aborted) await atMost(2_000, this.#slots.drop());
    clearInterval(locks);
    await atMost(10_000, Promise.all([...this.#runs.values()].map((run) => run.close())));
    await atMost(
      2_000,
      beats.then(() => this.#leave()),
    );
    return this.#slots.trials;
  }

  /** Announces the worker and looks for runs that need it. */
  async #beats(end: () => void): Promise<void> {
    let toldAt = Number.NEGATIVE_INFINITY;
    while (!this.#over || !this.#slots.isEmpty) {
      try {
        if (performance.now() - toldAt > TELL_MS - GREETING_MS) {
          await this.#tell();
          toldAt = performance.now();
        }
        await this.#lookForRuns();
      } catch {
        // The connection was lost; the next beat tries again.
      }
      if (this.#runs.size > 0) this.#idleSince = performance.now();
      if (this.#options.drain && performance.now() - this.#idleSince > IDLE_MS) end();
      const isGreeting = [...this.#runs.values()].some((run) => run.isGreeting);
      await new Promise((resolve) => setTimeout(resolve, isGreeting ? GREETING_MS : BEAT_MS));
    }
  }

  async #tell(): Promise<void> {
    const { id, name, slots, only } = this.#self;
    const running = Object.fromEntries([...this.#runs.values()].map((run) => [run.id, [...run.running]]));
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
      .set(keys.worker(id), this.#signer.sign("status", "", status), "PX", STATUS_MS)
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

  async #lookForRuns(): Promise<void> {
    const { redis } = this.#link;
    // An ending worker joins no run, but must learn when its own runs are over.
    const others = this.#over ? [] : await redis.smembers(keys.runs);
    const ids = new Set([...others, ...this.#runs.keys()]);
    for (const id of ids) {
      if (this.#runs.get(id)?.isDue === false) continue;
      const signed = await redis.get(keys.run(id));
      if (signed === null) await this.#miss(id);
      else await this.#see(id, signed);
    }
  }

  async #see(id: string, signed: string): Promise<void> {
    this.#missing.delete(id);
    const run = this.#signer.open<RunMessage>("run", id, signed);
    const known = this.#runs.get(id);
    if (run === undefined || run.id !== id) {
      if (this.#ignored.has(id)) return;
      this.#ignored.add(id);
      this.#self.say("A run is ignored: it is not signed with this PROCTOR_FLEET_KEY.");
      return;
    }
    if (run.ended) {
      if (known === undefined) return;
      await this.#end(known);
      await forgetQueues(this.#link, id, known.targets);
      return;
    }
    const joined = known ?? new JoinedRun(run, this.#link, this.#signer, this.#self);
    this.#runs.set(id, joined);
    const sources = joined.sources.size;
    await joined.look(run);
    if (joined.sources.size > sources) this.#slots.lookAgain();
  }

  /** A run repeats its message if Redis lost its data, so a run missing for a whole lease is gone. */
  async #miss(id: string): Promise<void> {
    const since = this.#missing.get(id) ?? performance.now();
    this.#missing.set(id, since);
    const known = this.#runs.get(id);
    if (known === undefined || performance.now() - since < known.leaseMs) return;
    this.#missing.delete(id);
    await forgetRun(this.#link.redis, id);
    await this.#end(known);
  }

  async #end(run: JoinedRun): Promise<void> {
    this.#runs.delete(run.id);
    await run.close();
    if (run.trials > 0) this.#self.say(`Run ${run.id.slice(0, 8)} is over: ${count(run.trials, "trial")} ran here.`);
  }

  /** Undefined if it cannot begin here; the job is then given back. */
  async #make(run: JoinedRun, { exam: ref, job }: JobMessage): Promise<Made | undefined> {
    const exam = await run.open(ref).catch((error: unknown) => this.#cannotOpen(run, error));
    if (exam === undefined) return undefined;
    this.#failing.delete(run.id);
    const { pool, local, mask, targets, library } = exam;
    this.#options.on({ type: "started", target: job.target, prompt: job.ask.prompt });
    const refusal = refusalOf(() => targets.get(job.target)?.admit?.(library));
    const result = refusal ?? (await pool.execute(local(job), run.stop.signal));
    this.#options.on({ type: "ended", target: job.target, outcome: result.transcript.outcome.status });
    return { result, mask };
  }

  /** Other workers may be able to open it; one that keeps failing leaves the run to them. */
  async #cannotOpen(run: JoinedRun, error: unknown): Promise<undefined> {
    const why = error instanceof Error ? error.message : String(error);
    this.#self.say(`A trial was handed back: ${why}.`);
    await new Promise((resolve) => setTimeout(resolve, OPEN_AGAIN_MS));
    if (error instanceof NotThereYet) return;
    const since = this.#failing.get(run.id) ?? performance.now();
    this.#failing.set(run.id, since);
    if (performance.now() - since > OPEN_FOR_MS) await run.leave(`it cannot open the exam: ${why}`);
  }

  #sources(): JobSource[] {
    return [...this.#runs.values()].flatMap((run) => [...run.sources.values()]);
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
