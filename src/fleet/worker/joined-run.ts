import { randomUUID } from "node:crypto";
import type { Worker } from "bullmq";
import { createMask, type Mask, VERSION } from "../../base/index.ts";
import { createPool } from "../../exam/ask/index.ts";
import { type Executor, type Job, judgesOf } from "../../exam/grade/index.ts";
import type { Library } from "../../model/index.ts";
import type { Target, TextJudge } from "../../targets/index.ts";
import type { BundleRef } from "../bundle/bundle.ts";
import { openExam } from "../bundle/exam-bundle.ts";
import { contentOf, keptBundle } from "../bundle/kept-bundles.ts";
import { fetchBundle } from "../bundle/sent-bundles.ts";
import type { Link } from "../wire/connect.ts";
import {
  type Cannot,
  type Described,
  type DescribedJudge,
  type Hello,
  keys,
  PROTOCOL,
  type Session,
  type Welcome,
} from "../wire/messages.ts";
import type { Seal } from "../wire/seal.ts";
import { cannot, describeJudge, describeTarget, findJudges, findTarget } from "./described.ts";

/** What a worker is, for every session. */
export interface Self {
  id: string;
  name: string;
  slots: number;
  /** The only targets it takes: kinds (`claude`) or whole ids (`claude:haiku`). */
  only?: readonly string[];
  env: NodeJS.ProcessEnv;
  /** What must not leave this machine. */
  secrets: readonly string[];
  /** Where bundles are kept. */
  folder: string;
  say(text: string): void;
}

/** A queue that this worker may take jobs from. */
export interface Lane {
  session: WorkerSession;
  queue: Worker;
}

/** After a change, what a run says next may follow soon; and it opens the queues of what is described within the longer time. */
const SETTLING_MS = [2_000, 10_000] as const;
/** How often a run that says nothing new is looked at. */
const LOOK_MS = 900;

/** Stalled more often, a job has ended its workers: it is not begun again. */
const MOST_STALLS = 2;

/** A run as one worker sees it: what of it this machine can do, and the exam once a job needs it. */
export class WorkerSession {
  readonly id: string;
  readonly stop = new AbortController();
  readonly lanes = new Map<number, Lane>();
  /** Ids of jobs in hand, and deliveries that were answered lately. */
  readonly running = new Set<string>();
  readonly done = new Set<string>();
  leaseMs: number;
  trials = 0;
  readonly #link: Link;
  readonly #seal: Seal;
  readonly #self: Self;
  readonly #mask: Mask;
  readonly #nonce = randomUUID();
  readonly #targets = new Map<string, Target>();
  readonly #answers: Record<string, Described | Cannot> = {};
  #judgeAnswers: Record<string, DescribedJudge | Cannot> = {};
  #judges: ((name: string | undefined) => TextJudge | undefined) | undefined;
  #judgeNames: string[] = [];
  readonly #exams = new Map<string, Promise<OpenedExam>>();
  #latest: Session;
  #described = -1;
  #welcomed = -1;
  #changedAt = performance.now();
  #lookedAt = 0;
  #describing: Promise<void> | undefined;
  readonly #told = new Set<string>();

  constructor(session: Session, link: Link, seal: Seal, self: Self) {
    this.id = session.id;
    this.leaseMs = session.leaseMs;
    this.#latest = session;
    this.#link = link;
    this.#seal = seal;
    this.#self = self;
    this.#mask = createMask(self.secrets);
  }

  /** What it said is not answered, or what it may take is not settled: at first, and for a while after every change. */
  get isGreeting(): boolean {
    const able = Object.values(this.#answers).filter((answer) => "identity" in answer).length;
    const settling = this.lanes.size < able ? SETTLING_MS[1] : SETTLING_MS[0];
    return this.#welcomed < this.#latest.revision || performance.now() - this.#changedAt < settling;
  }

  /** How many it asks. */
  get targets(): number {
    return this.#latest.targets.length;
  }

  /** Something may have changed since it was last looked at. */
  get isDue(): boolean {
    return this.isGreeting || performance.now() - this.#lookedAt > LOOK_MS;
  }

  /** Looks at what the run says now: describes what is new, and takes jobs of what it is welcome to. */
  async look(session: Session): Promise<void> {
    this.#lookedAt = performance.now();
    if (session.revision > this.#latest.revision) this.#changedAt = this.#lookedAt;
    this.#latest = session;
    if (session.revision > this.#described && this.#describing === undefined) {
      this.#describing = this.#describe(session).finally(() => {
        this.#describing = undefined;
      });
      this.#describing.catch(() => {});
    }
    const { redis } = this.#link;
    const sealed = await redis.hget(keys.welcomes(this.id), this.#self.id);
    const welcome = this.#seal.open<Welcome>("welcome", this.id, sealed);
    if (welcome?.nonce === this.#nonce) this.#enter(welcome);
    // Until it is answered: the first may have been lost.
    if (this.#described >= 0 && this.#welcomed < this.#described) await this.#greet();
  }

  /** The pool, and the job as it is on this machine. */
  async open(ref: BundleRef): Promise<OpenedExam> {
    let exam = this.#exams.get(ref.hash);
    if (exam === undefined) {
      exam = this.#openExam(ref);
      this.#exams.set(ref.hash, exam);
      // A bundle that is not there yet is looked for again with the next job.
      exam.catch(() => this.#exams.delete(ref.hash));
    }
    return exam;
  }

  /** This machine cannot open the exam, since its disk is full, say: whoever asked learns why, and nothing more is taken. */
  async leave(why: string): Promise<void> {
    for (const id of Object.keys(this.#answers)) this.#answers[id] = cannot(new Error(why), this.#mask);
    await this.#greet();
  }

  /** Drops what runs, and takes nothing more. */
  async close(): Promise<void> {
    this.stop.abort();
    const lanes = [...this.lanes.values()];
    this.lanes.clear();
    await Promise.allSettled(lanes.map(({ queue }) => queue.close(true)));
    for (const exam of this.#exams.values()) await exam.then(({ pool }) => pool.close()).catch(() => {});
  }

  async #describe(session: Session): Promise<void> {
    const { revision } = session;
    if (session.version === VERSION && session.protocol === PROTOCOL) {
      for (const target of session.targets) {
        if (target.id in this.#answers) continue;
        try {
          const found = await this.#findTarget(target);
          this.#answers[target.id] = await describeTarget(found, this.#maskFor([found]));
          this.#targets.set(target.id, found);
        } catch (error) {
          this.#answers[target.id] = cannot(error, this.#mask);
        }
      }
      if (session.judges !== undefined) await this.#describeJudges(session.judges);
    }
    this.#described = revision;
    await this.#greet();
  }

  async #findTarget(target: Session["targets"][number]): Promise<Target> {
    const { only, env, folder } = this.#self;
    if (only !== undefined && !only.includes(target.id) && !only.includes(target.id.split(":", 1)[0] ?? ""))
      throw new Error(`it takes only ${only.join(", ")} (--targets)`);
    const dir = target.files === undefined ? folder : contentOf(await this.#bundle(target.files));
    return findTarget(target, { env, folder: dir });
  }

  async #describeJudges(judges: NonNullable<Session["judges"]>): Promise<void> {
    this.#judgeNames = judges.names;
    try {
      const find = await findJudges(judges, this.#self.env);
      this.#judges = find;
      const found = judges.names.map((name) => ({ name, judge: find(name) }));
      this.#judgeAnswers = Object.fromEntries(
        found.flatMap(({ name, judge }) => (judge ? [[name, describeJudge(judge, this.#mask)]] : [])),
      );
    } catch (error) {
      this.#judgeAnswers = Object.fromEntries(judges.names.map((name) => [name, cannot(error, this.#mask)]));
    }
  }

  async #greet(): Promise<void> {
    const { id, name, slots } = this.#self;
    const hello: Hello = {
      worker: id,
      name,
      protocol: PROTOCOL,
      version: VERSION,
      nonce: this.#nonce,
      revision: this.#described,
      slots,
      targets: this.#answers,
      judges: this.#judgeAnswers,
    };
    await this.#link.redis.hset(keys.hellos(this.id), id, this.#seal.close("hello", this.id, hello));
  }

  #enter({ serves, refused, revision }: Welcome): void {
    this.#welcomed = Math.max(this.#welcomed, revision);
    for (const why of refused) this.#sayOnce(`Run ${this.id.slice(0, 8)} refuses this worker: ${why}.`);
    const { bull, redis } = this.#link;
    const { prefix, name } = keys.queues(this.id);
    for (const target of serves) {
      if (this.lanes.has(target)) continue;
      const queue = new bull.Worker(name(target), undefined, {
        connection: redis,
        prefix,
        name: this.#self.name,
        autorun: false,
        skipVersionCheck: true,
        lockDuration: this.leaseMs,
        stalledInterval: this.leaseMs / 2,
        maxStalledCount: MOST_STALLS,
      });
      queue.on("error", () => {});
      queue.startStalledCheckTimer().catch(() => {});
      this.lanes.set(target, { session: this, queue });
      const id = this.#latest.targets[target]?.id;
      this.#sayOnce(`Taking trials of ${id} (run ${this.id.slice(0, 8)}).`);
    }
    for (const [target, lane] of this.lanes) {
      if (serves.includes(target)) continue;
      this.lanes.delete(target);
      lane.queue.close(true).catch(() => {});
    }
  }

  async #openExam(ref: BundleRef): Promise<OpenedExam> {
    const { library, local } = openExam(contentOf(await this.#bundle(ref)));
    const targets = await Promise.all(
      [...this.#targets.values()].map(async (target) => ({ target, identity: await target.identify() })),
    );
    const judges = this.#judges === undefined ? undefined : judgesOf({ find: this.#judges, names: this.#judgeNames });
    const mask = this.#maskFor([...this.#targets.values()]);
    return { library, pool: createPool({ library, targets }, judges), local, mask, targets: this.#targets };
  }

  #maskFor(targets: readonly Target[]): Mask {
    return createMask([...this.#self.secrets, ...targets.flatMap(({ secrets }) => secrets ?? [])]);
  }

  #bundle(ref: BundleRef): Promise<string> {
    return keptBundle(this.#self.folder, ref, () => fetchBundle(this.#link.redis, ref));
  }

  #sayOnce(text: string): void {
    if (this.#told.has(text)) return;
    this.#told.add(text);
    this.#self.say(text);
  }
}

export interface OpenedExam {
  library: Library;
  pool: Executor;
  targets: ReadonlyMap<string, Target>;
  local(job: Job): Job;
  mask: Mask;
}
