import { randomUUID } from "node:crypto";
import type { ChainableCommander } from "ioredis";
import { printable, VERSION } from "../../base/index.ts";
import type { Identity } from "../../model/index.ts";
import type { BundleRef } from "../bundle/bundle.ts";
import { sendBundle } from "../bundle/sent-bundles.ts";
import { type Link, refusalIn } from "../wire/connect.ts";
import { atMost, forgetRun, liveWorkers } from "../wire/housekeeping.ts";
import {
  type Cannot,
  type Described,
  type DescribedJudge,
  type Hello,
  keys,
  PROTOCOL,
  type RunJudges,
  type RunMessage,
  type RunTarget,
  type Welcome,
} from "../wire/messages.ts";
import type { Signer } from "../wire/signature.ts";
import { admission } from "./admission.ts";
import { gather } from "./gather.ts";
import { Members } from "./members.ts";

export interface FleetRunOptions {
  /** How long a worker or a run may be silent before others continue without it. */
  leaseMs: number;
  /** How long a run waits for a worker that can do what is left. */
  patienceMs: number;
  notice(text: string): void;
}

const BEAT_MS = 500;
/** While waiting for workers to describe a target. */
const GREETING_MS = 50;
/** Expiry of a run's data that is not renewed. */
const LEFT_MS = 10 * 60_000;

const MOST_WANTED = 2_000;

/** A run on the fleet: announces what it asks, admits workers, and tracks who is there. */
export class FleetRun {
  readonly id = randomUUID();
  readonly targets: RunTarget[] = [];
  readonly members: Members;
  onBeat: () => Promise<void> | void = () => {};
  /** Number of trials that could use a slot now. */
  wanted: () => number = () => 0;
  readonly #link: Link;
  readonly #signer: Signer;
  readonly #options: FleetRunOptions;
  readonly #bundles = new Map<string, { ref: BundleRef; packed: Buffer }>();
  /** Identities chosen from the workers' descriptions, by target id. */
  readonly #chosen = new Map<string, Identity>();
  readonly #chosenJudges = new Map<string, Identity>();
  readonly #told = new Set<string>();
  #judges: RunJudges | undefined;
  #revision = 0;
  /** Number of descriptions it is waiting for. */
  #gathering = 0;
  #refusal: string | undefined;
  #beating: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(link: Link, signer: Signer, options: FleetRunOptions) {
    this.#link = link;
    this.#signer = signer;
    this.#options = options;
    this.members = new Members(this.id, options.leaseMs);
  }

  /** Clears what dead runs left behind, then announces this run and keeps renewing it. */
  async begin(): Promise<void> {
    const { redis } = this.#link;
    for (const id of await redis.smembers(keys.runs))
      if ((await redis.exists(keys.run(id))) === 0) await forgetRun(redis, id);
    await this.#beat();
  }

  /** Ends the run of a killed process that wrote the same record; its jobs are asked again. */
  async takeOver(record: string): Promise<void> {
    const { redis } = this.#link;
    const before = await redis.getset(keys.record(record), this.id);
    await redis.pexpire(keys.record(record), 24 * 3_600_000);
    if (before !== null && before !== this.id) await this.#end(before);
  }

  addBundle(ref: BundleRef, packed: Buffer): Promise<unknown> {
    this.#bundles.set(ref.hash, { ref, packed });
    return sendBundle(this.#link.redis, ref, packed);
  }

  /** Announces a target and waits until workers have described it. */
  async describe(target: RunTarget): Promise<Described> {
    this.targets.push(target);
    const described = await this.#gathered<Described>(target.id, ({ targets }) => targets[target.id]);
    this.#chosen.set(target.id, described.identity);
    this.#poll(0);
    return described;
  }

  async describeJudges(judges: RunJudges): Promise<Map<string, DescribedJudge>> {
    this.#judges = judges;
    const found = new Map<string, DescribedJudge>();
    for (const name of judges.names) {
      const described = await this.#gathered<DescribedJudge>(`the judge ${name}`, (hello) => hello.judges[name]);
      this.#chosenJudges.set(name, described.identity);
      this.#poll(0);
      found.set(name, described);
    }
    return found;
  }

  /** Looks at the fleet at once, to admit workers for what was just chosen. */
  async lookNow(): Promise<void> {
    await this.#beating;
    await this.#beat();
  }

  /** Ends the run for all workers and leaves nothing in Redis but the notice that it is over. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#beating;
    const over = this.#end(this.id);
    // Does not wait long for a Redis that is gone; the lease runs out on its own.
    await atMost(3_000, over);
  }

  async #end(id: string): Promise<void> {
    const { redis } = this.#link;
    const ended = this.#signer.sign("run", id, { ...this.#message(), id, ended: true } satisfies RunMessage);
    await forgetRun(redis, id);
    await redis.set(keys.run(id), ended, "PX", 60_000);
  }

  async #gathered<Found extends { identity: Identity }>(
    what: string,
    found: (hello: Hello) => Found | Cannot | undefined,
  ): Promise<Found> {
    this.#revision++;
    this.#gathering++;
    this.#poll(0);
    try {
      return await gather(what, found, {
        members: this.members,
        revision: () => this.#revision,
        place: this.#link.place,
        patienceMs: this.#options.patienceMs,
        onNobody: (text) => this.#tellOnce("nobody", text),
      });
    } finally {
      this.#gathering--;
    }
  }

  #poll(delayMs: number): void {
    if (this.#closed) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#beat(), delayMs);
  }

  /** One at a time, since it may wait long for a Redis that is gone. */
  #beat(): Promise<void> {
    this.#beating ??= this.#look()
      .catch(() => {
        // The connection was lost; the next beat tries again.
      })
      .finally(() => {
        this.#beating = undefined;
        this.#poll(this.#gathering > 0 ? GREETING_MS : BEAT_MS);
      });
    return this.#beating;
  }

  async #look(): Promise<void> {
    const { redis } = this.#link;
    const { id } = this;
    const lease = redis
      .pipeline()
      .set(keys.run(id), this.#signer.sign("run", id, this.#message()), "PX", this.#options.leaseMs)
      .sadd(keys.runs, id);
    for (const key of [keys.hellos(id), keys.welcomes(id), keys.results(id)]) lease.pexpire(key, LEFT_MS);
    this.#tellWanted(lease);
    this.#tellRefusal(refusalIn(await lease.exec()));
    for (const { ref, packed } of this.#bundles.values()) await sendBundle(redis, ref, packed);
    this.members.see(await liveWorkers(redis, this.#signer));
    const hellos = await redis.hgetall(keys.hellos(id));
    for (const [worker, signed] of Object.entries(hellos)) {
      const hello = this.#signer.open<Hello>("hello", id, signed);
      if (hello?.worker === worker) this.members.greet(hello);
      else
        this.#tellOnce(
          "unsigned",
          `Something at ${this.#link.place} is not signed with this PROCTOR_FLEET_KEY, and is ignored.`,
        );
    }
    await this.#admit(Object.keys(hellos));
    await this.onBeat();
  }

  /** For autoscalers: one entry per trial, and at least one per run, so that the first worker is started. */
  #tellWanted(pipeline: ChainableCommander): void {
    const wanted = Math.min(Math.max(1, this.wanted()), MOST_WANTED);
    pipeline.lrem(keys.wanted, 0, this.id).rpush(keys.wanted, ...Array.from({ length: wanted }, () => this.id));
  }

  /** Redis refuses writes when its memory or disk is full, or when it is read-only. */
  #tellRefusal(why: string | undefined): void {
    const { place } = this.#link;
    if (why !== undefined && this.#refusal === undefined)
      this.#options.notice(
        `${place} refuses what it is sent, and is tried again: ${printable(why)}. What was measured is in the record.`,
      );
    if (why === undefined && this.#refusal !== undefined) this.#options.notice(`${place} takes what it is sent again.`);
    this.#refusal = why;
  }

  /** Tells workers which jobs they may take, whenever that changes. */
  async #admit(greeted: readonly string[]): Promise<void> {
    const answers = this.#link.redis.pipeline();
    const terms = { targets: this.targets, chosen: this.#chosen, chosenJudges: this.#chosenJudges };
    for (const [worker, member] of this.members) {
      const { serves, refused } = admission(member.hello, terms);
      const isNew = greeted.includes(worker);
      if (!isNew && serves.length === member.serves.size && serves.every((target) => member.serves.has(target)))
        continue;
      member.serves = new Set(serves);
      const { nonce, revision } = member.hello;
      answers.hset(
        keys.welcomes(this.id),
        worker,
        this.#signer.sign("welcome", this.id, { nonce, revision, serves, refused } satisfies Welcome),
      );
      for (const why of refused)
        this.#tellOnce(`${worker} ${why}`, `Worker ${printable(member.hello.name)} is refused: ${printable(why)}.`);
    }
    if (greeted.length > 0) answers.hdel(keys.hellos(this.id), ...greeted);
    if (answers.length > 0) await answers.exec();
  }

  #message(): RunMessage {
    const { leaseMs } = this.#options;
    const { id, targets } = this;
    return {
      id,
      protocol: PROTOCOL,
      version: VERSION,
      revision: this.#revision,
      leaseMs,
      targets,
      judges: this.#judges,
    };
  }

  #tellOnce(what: string, text: string): void {
    if (this.#told.has(what)) return;
    this.#told.add(what);
    this.#options.notice(text);
  }
}
