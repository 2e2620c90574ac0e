import { randomUUID } from "node:crypto";
import type { ChainableCommander } from "ioredis";
import { canonicalJson, fingerprint, printable, UsageError, VERSION } from "../../base/index.ts";
import type { Identity } from "../../records/index.ts";
import type { BundleRef } from "../bundle/bundle.ts";
import { sendBundle } from "../bundle/sent-bundles.ts";
import { atMost } from "../wire/at-most.ts";
import type { Link } from "../wire/connect.ts";
import { forgetSession, liveWorkers } from "../wire/housekeeping.ts";
import {
  type Cannot,
  type Described,
  type DescribedJudge,
  type Hello,
  keys,
  PROTOCOL,
  type Session,
  type SessionJudges,
  type SessionTarget,
  type Status,
  type Welcome,
} from "../wire/messages.ts";
import { refusalIn } from "../wire/refusal.ts";
import type { Seal } from "../wire/seal.ts";

export interface SessionOptions {
  /** How long a worker or a run may be silent before others continue without it. */
  leaseMs: number;
  /** How long a run waits for a worker that can do what is left. */
  patienceMs: number;
  notice(text: string): void;
}

/** How long the others get to describe a target once one has. */
const GATHER_MS = 5_000;
/** How long another one gets to appear when all that are there cannot. */
const ALL_REFUSE_MS = 1_500;
const BEAT_MS = 500;
/** A worker speaks every second; it may be late. */
const LEAST_SILENCE_MS = 4_000;
/** While somebody waits for workers to say who a target is. */
const GREETING_MS = 50;
/** What of a session is not renewed is gone after this. */
const LEFT_MS = 10 * 60_000;

const MOST_WANTED = 2_000;

/** A worker that takes part. */
interface Member {
  hello: Hello;
  serves: ReadonlySet<number>;
  status: Status | undefined;
}

/** The run's side of a session: it announces what is asked, admits workers, and knows who is there. */
export class RunSession {
  readonly id = randomUUID();
  readonly targets: SessionTarget[] = [];
  /** Called after every look at the fleet. */
  onBeat: () => Promise<void> | void = () => {};
  /** How many trials could use a slot now. */
  wanted: () => number = () => 0;
  readonly #link: Link;
  readonly #seal: Seal;
  readonly #options: SessionOptions;
  readonly #bundles = new Map<string, { ref: BundleRef; packed: Buffer }>();
  readonly #members = new Map<string, Member>();
  readonly #chosen = new Map<string, string>();
  readonly #told = new Set<string>();
  #judges: SessionJudges | undefined;
  #revision = 0;
  /** How many descriptions are waited for. */
  #gathering = 0;
  #live = new Map<string, Status>();
  /** Workers that are there with another key. */
  #strangers = 0;
  /** The last word of each worker, and when it was new. */
  readonly #heard = new Map<string, { beat: number; at: number }>();
  #refusal: string | undefined;
  #lookedAt = performance.now();
  #beating: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(link: Link, seal: Seal, options: SessionOptions) {
    this.#link = link;
    this.#seal = seal;
    this.#options = options;
  }

  /** From now on it is renewed. What dead runs left behind is cleared away first. */
  async begin(): Promise<void> {
    const { redis } = this.#link;
    for (const id of await redis.smembers(keys.sessions)) if ((await redis.exists(keys.session(id))) === 0) await forgetSession(redis, id);
    await this.#beat();
  }

  /** Ends the session of a process that wrote the same record before, and was killed: its jobs are asked again. */
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

  /** Announces a target and waits until workers have said who it is. */
  async describe(target: SessionTarget): Promise<Described> {
    this.targets.push(target);
    const described = await this.#gathered<Described>(target.id, ({ targets }) => targets[target.id]);
    this.#choose(target.id, described.identity);
    return described;
  }

  async describeJudges(judges: SessionJudges): Promise<Map<string, DescribedJudge>> {
    this.#judges = judges;
    const found = new Map<string, DescribedJudge>();
    for (const name of judges.names) {
      const described = await this.#gathered<DescribedJudge>(`the judge ${name}`, (hello) => hello.judges[name]);
      this.#choose(`judge ${name}`, described.identity);
      found.set(name, described);
    }
    return found;
  }

  /** The slots of workers that are there and may take this target's jobs, or any. */
  slots(target?: number): number {
    let slots = 0;
    for (const { hello, serves, status } of this.#members.values())
      if (status !== undefined && (target === undefined ? serves.size > 0 : serves.has(target))) slots += hello.slots;
    return slots;
  }

  /** Those that take part now. */
  members(): { name: string; slots: number; running: readonly string[] }[] {
    const here = [...this.#members.values()].filter(({ status, serves }) => status !== undefined && serves.size > 0);
    return here.map(({ hello, status }) => ({ name: hello.name, slots: hello.slots, running: status?.running[this.id] ?? [] }));
  }

  /** What those that are there say why they cannot run a target; undefined where nobody says anything. */
  whyNot(target: string): string | undefined {
    const said = [...this.#members.values()].flatMap(({ hello, status }) => {
      const described = hello.targets[target];
      return status !== undefined && described !== undefined && "cannot" in described ? [`${hello.name}: ${described.cannot}`] : [];
    });
    return said.length === 0 ? undefined : printable(some(said));
  }

  /** How many that took part were there then, or came later, and are gone now. */
  goneSince(at: number): number {
    const wasThere = (worker: string) => (this.#heard.get(worker)?.at ?? Number.NEGATIVE_INFINITY) > at - LEAST_SILENCE_MS;
    return [...this.#members].filter(([worker, { status }]) => status === undefined && wasThere(worker)).length;
  }

  /** A worker that says nothing for so long is gone. */
  get silenceMs(): number {
    return Math.max(this.#options.leaseMs, LEAST_SILENCE_MS);
  }

  get revision(): number {
    return this.#revision;
  }

  /** Looks at the fleet now, and not when that is due: who was chosen a moment ago is admitted then. */
  async lookNow(): Promise<void> {
    await this.#beating;
    await this.#beat();
  }

  /** Ends it for all: whoever still works for it stops, and nothing is left in Redis but the word that it is over. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#beating;
    const over = this.#end(this.id);
    // A Redis that is gone is not waited for: the lease runs out on its own.
    await atMost(3_000, over);
  }

  async #end(id: string): Promise<void> {
    const { redis } = this.#link;
    const ended = this.#seal.close("session", id, { ...this.#message(), id, ended: true } satisfies Session);
    await forgetSession(redis, id);
    await redis.set(keys.session(id), ended, "PX", 60_000);
  }

  /** Whoever is the same may take its jobs, from now on. */
  #choose(what: string, identity: Identity): void {
    this.#chosen.set(what, fingerprint(identity));
    this.#poll(0);
  }

  /** Announces what is new, and waits for what workers say of it. */
  async #gathered<Found extends { identity: Identity }>(what: string, found: (hello: Hello) => Found | Cannot | undefined): Promise<Found> {
    this.#revision++;
    this.#gathering++;
    this.#poll(0);
    try {
      return await this.#gather(what, found);
    } finally {
      this.#gathering--;
    }
  }

  async #gather<Found extends { identity: Identity }>(what: string, found: (hello: Hello) => Found | Cannot | undefined): Promise<Found> {
    const start = performance.now();
    let first: number | undefined;
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      const now = performance.now();
      const answers = [...this.#members.values()].filter(({ hello, status }) => status !== undefined && hello.revision >= this.#revision);
      const can: { slots: number; found: Found }[] = [];
      const cannot: string[] = [];
      for (const { hello } of answers) {
        const other = otherVersion(hello);
        const one = found(hello);
        if (other !== undefined) cannot.push(`${hello.name}: ${other}`);
        else if (one !== undefined && "identity" in one) can.push({ slots: hello.slots, found: one });
        else if (one !== undefined) cannot.push(`${hello.name}: ${one.cannot}`);
      }
      const all =
        this.#live.size > 0 &&
        [...this.#live.keys()].every((worker) => (this.#members.get(worker)?.hello.revision ?? -1) >= this.#revision);
      if (can.length + cannot.length > 0) first ??= now;
      const waited = first === undefined ? 0 : now - first;
      if (can.length > 0 && (all || waited > GATHER_MS)) return mostSlots(can);
      if (can.length === 0 && cannot.length > 0 && waited > (all ? ALL_REFUSE_MS : GATHER_MS))
        throw new UsageError(
          `No worker can run ${what}: ${printable(some(cannot))}.`,
          `proctor doctor ${this.#link.place} shows which workers are there and what they can run.`,
        );
      if (now - start > 3_000 && this.#live.size === 0)
        this.#tellOnce(
          "none",
          `${this.#strangers > 0 ? "No worker with this PROCTOR_FLEET_KEY" : "No worker"} is at ${this.#link.place} yet; waiting for one (proctor worker ${this.#link.place}). Press Ctrl-C to give up.`,
        );
      if (now - start > this.#options.patienceMs)
        throw new UsageError(
          `No worker that could run ${what} connected to ${this.#link.place} within ${Math.round(this.#options.patienceMs / 1000)} s.`,
          this.#strangers > 0 && this.#live.size === 0
            ? `${this.#strangers === 1 ? "The worker there has" : `The ${this.#strangers} workers there have`} a different PROCTOR_FLEET_KEY: set the same one everywhere.`
            : `Start one, on any machine that reaches it: proctor worker ${this.#link.place}`,
        );
    }
  }

  #poll(delayMs: number): void {
    if (this.#closed) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#beat(), delayMs);
  }

  /** One at a time: it may wait long for a Redis that is gone. */
  #beat(): Promise<void> {
    this.#beating ??= this.#look()
      .catch(() => {
        // The connection was lost in the middle; the next beat does all of it again.
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
      .set(keys.session(id), this.#seal.close("session", id, this.#message()), "PX", this.#options.leaseMs)
      .sadd(keys.sessions, id);
    for (const key of [keys.hellos(id), keys.welcomes(id), keys.results(id)]) lease.pexpire(key, LEFT_MS);
    this.#tellWanted(lease);
    this.#tellRefusal(refusalIn(await lease.exec()));
    for (const { ref, packed } of this.#bundles.values()) await sendBundle(redis, ref, packed);
    const { live, strangers } = await liveWorkers(redis, this.#seal);
    this.#live = live;
    this.#strangers = strangers;
    this.#dropSilent();
    // One that was silent for a while is a member again as soon as it speaks.
    for (const [worker, member] of this.#members) member.status = this.#live.get(worker);
    const hellos = await redis.hgetall(keys.hellos(id));
    for (const [worker, sealed] of Object.entries(hellos)) {
      const hello = this.#seal.open<Hello>("hello", id, sealed);
      if (hello?.worker !== worker)
        this.#tellOnce("unsigned", `Something at ${this.#link.place} is not signed with this PROCTOR_FLEET_KEY, and is ignored.`);
      else this.#members.set(worker, { hello, serves: new Set(), status: this.#live.get(worker) });
    }
    await this.#admit(Object.keys(hellos));
    await this.onBeat();
  }

  /** Redis keeps a worker's word for longer than a lease: one who says nothing new is gone. After a while without Redis, all get their time again. */
  #dropSilent(): void {
    const now = performance.now();
    const missed = now - this.#lookedAt > LEAST_SILENCE_MS;
    this.#lookedAt = now;
    for (const [worker, { beat }] of this.#live) {
      const heard = this.#heard.get(worker);
      if (heard === undefined || heard.beat !== beat || missed) this.#heard.set(worker, { beat, at: now });
      else if (now - heard.at > this.silenceMs) this.#live.delete(worker);
    }
  }

  /** For autoscalers: one entry a trial, at least one while there is a run at all, so that the first worker is started. */
  #tellWanted(pipeline: ChainableCommander): void {
    const wanted = Math.min(Math.max(1, this.wanted()), MOST_WANTED);
    pipeline.lrem(keys.wanted, 0, this.id).rpush(keys.wanted, ...Array.from({ length: wanted }, () => this.id));
  }

  /** A Redis whose memory or disk is full, or that may only be read, is there and takes nothing. */
  #tellRefusal(why: string | undefined): void {
    const { place } = this.#link;
    if (why !== undefined && this.#refusal === undefined)
      this.#options.notice(`${place} refuses what it is sent, and is tried again: ${printable(why)}. What was measured is in the record.`);
    if (why === undefined && this.#refusal !== undefined) this.#options.notice(`${place} takes what it is sent again.`);
    this.#refusal = why;
  }

  /** Says to every worker which jobs it may take, whenever that has changed. */
  async #admit(greeted: readonly string[]): Promise<void> {
    const answers = this.#link.redis.pipeline();
    for (const [worker, member] of this.#members) {
      const { serves, refused } = this.#servedBy(member.hello);
      const isNew = greeted.includes(worker);
      if (!isNew && serves.length === member.serves.size && serves.every((target) => member.serves.has(target))) continue;
      member.serves = new Set(serves);
      const { nonce, revision } = member.hello;
      answers.hset(
        keys.welcomes(this.id),
        worker,
        this.#seal.close("welcome", this.id, { nonce, revision, serves, refused } satisfies Welcome),
      );
      for (const why of refused)
        this.#tellOnce(`${worker} ${why}`, `Worker ${printable(member.hello.name)} is refused: ${printable(why)}.`);
    }
    if (greeted.length > 0) answers.hdel(keys.hellos(this.id), ...greeted);
    if (answers.length > 0) await answers.exec();
  }

  #servedBy(hello: Hello): { serves: number[]; refused: string[] } {
    const version = otherVersion(hello);
    if (version !== undefined) return { serves: [], refused: [version] };
    const refused: string[] = [];
    for (const name of this.#judges?.names ?? []) {
      const chosen = this.#chosen.get(`judge ${name}`);
      const judge = hello.judges[name];
      if (chosen === undefined || judge === undefined) continue;
      const why = "cannot" in judge ? judge.cannot : fingerprint(judge.identity) === chosen ? undefined : "it differs there";
      if (why !== undefined) return { serves: [], refused: [`it cannot ask the judge ${name}: ${why}`] };
    }
    const serves = this.targets.flatMap(({ id }, index) => {
      const described = hello.targets[id];
      const chosen = this.#chosen.get(id);
      if (chosen === undefined || described === undefined || "cannot" in described) return [];
      if (fingerprint(described.identity) === chosen) return [index];
      refused.push(`its ${id} differs (${differences(described.identity, this.#identityOf(id, chosen))})`);
      return [];
    });
    return { serves, refused };
  }

  #identityOf(id: string, print: string): Identity | undefined {
    for (const { hello } of this.#members.values()) {
      const described = hello.targets[id];
      if (described !== undefined && "identity" in described && fingerprint(described.identity) === print) return described.identity;
    }
    return undefined;
  }

  #message(): Session {
    const { leaseMs } = this.#options;
    const { id, targets } = this;
    return { id, protocol: PROTOCOL, version: VERSION, revision: this.#revision, leaseMs, targets, judges: this.#judges };
  }

  #tellOnce(what: string, text: string): void {
    if (this.#told.has(what)) return;
    this.#told.add(what);
    this.#options.notice(text);
  }
}

function otherVersion({ version, protocol }: Hello): string | undefined {
  if (version === VERSION && protocol === PROTOCOL) return undefined;
  return version === VERSION
    ? `it speaks protocol ${protocol}, and this run ${PROTOCOL}`
    : `it is proctor ${version}, and this run is proctor ${VERSION}`;
}

/** Where workers differ, those are taken that can do most at once. */
function mostSlots<Found extends { identity: Identity }>(can: readonly { slots: number; found: Found }[]): Found {
  const sums = new Map<string, { slots: number; found: Found }>();
  for (const { slots, found } of can) {
    const print = fingerprint(found.identity);
    sums.set(print, { found, slots: slots + (sums.get(print)?.slots ?? 0) });
  }
  return [...sums.values()].reduce((most, one) => (one.slots > most.slots ? one : most)).found;
}

function differences(there: Identity, here: Identity | undefined): string {
  const flat = (identity: Identity | undefined): Record<string, unknown> => ({ ...identity, ...identity?.options, options: undefined });
  const [a, b] = [flat(there), flat(here)];
  const differing = [...new Set([...Object.keys(a), ...Object.keys(b)])].filter(
    (key) => canonicalJson(a[key] ?? null) !== canonicalJson(b[key] ?? null),
  );
  return differing.map((key) => `${key} ${canonicalJson(a[key] ?? null)}, not ${canonicalJson(b[key] ?? null)}`).join("; ");
}

function some(texts: readonly string[]): string {
  const distinct = [...new Set(texts)];
  return distinct.length <= 3 ? distinct.join("; ") : `${distinct.slice(0, 3).join("; ")} and ${distinct.length - 3} more`;
}
