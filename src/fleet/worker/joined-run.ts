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
  type RunMessage,
  type Welcome,
} from "../wire/messages.ts";
import type { Signer } from "../wire/signature.ts";
import { cannot, describeJudge, describeTarget, findJudges, findTarget } from "./described.ts";

/** What a worker is, the same for every run. */
export interface Self {
  id: string;
  name: string;
  slots: number;
  /** The only targets it takes: kinds (`claude`) or ids (`claude:haiku`). */
  only?: readonly string[];
  env: NodeJS.ProcessEnv;
  /** What must not leave this machine. */
  secrets: readonly string[];
  folder: string;
  say(text: string): void;
}

/** A queue that this worker may take jobs from. */
export interface JobSource {
  run: JoinedRun;
  queue: Worker;
}

/** After a change the run is watched closely this long; the longer time applies while it has yet to open a queue. */
const SETTLING_MS = [2_000, 10_000] as const;
/** How often an unchanged run is looked at. */
const LOOK_MS = 900;

/** A job that stalls more often has ended its workers and is not started again. */
const MOST_STALLS = 2;

/** A run as one worker sees it: what this machine can do for it, and the exam once a job needs it. */
export class JoinedRun {
  readonly id: string;
  readonly stop = new AbortController();
  readonly sources = new Map<number, JobSource>();
  /** Ids of jobs in hand. */
  readonly running = new Set<string>();
  readonly done = new Set<string>();
  leaseMs: number;
  trials = 0;
  readonly #link: Link;
  readonly #signer: Signer;
  readonly #self: Self;
  readonly #mask: Mask;
  readonly #nonce = randomUUID();
  readonly #targets = new Map<string, Target>();
  readonly #answers: Record<string, Described | Cannot> = {};
  #judgeAnswers: Record<string, DescribedJudge | Cannot> = {};
  #judges: ((name: string | undefined) => TextJudge | undefined) | undefined;
  #judgeNames: string[] = [];
  readonly #exams = new Map<string, Promise<OpenedExam>>();
  #latest: RunMessage;
  #described = -1;
  #welcomed = -1;
  #changedAt = performance.now();
  #lookedAt = 0;
  #describing: Promise<void> | undefined;
  readonly #told = new Set<string>();

  constructor(run: RunMessage, link: Link, signer: Signer, self: Self) {
    this.id = run.id;
    this.leaseMs = run.leaseMs;
    this.#latest = run;
    this.#link = link;
    this.#signer = signer;
    this.#self = self;
    this.#mask = createMask(self.secrets);
  }

  /** True at first and for a while after every change, while it waits for an answer or for queues. */
  get isGreeting(): boolean {
    const able = Object.values(this.#answers).filter((answer) => "identity" in answer).length;
    const settling = this.sources.size < able ? SETTLING_MS[1] : SETTLING_MS[0];
    return this.#welcomed < this.#latest.revision || performance.now() - this.#changedAt < settling;
  }

  /** Number of targets. */
  get targets(): number {
    return this.#latest.targets.length;
  }

  /** True if the run should be looked at again. */
  get isDue(): boolean {
    return this.isGreeting || performance.now() - this.#lookedAt > LOOK_MS;
  }

  /** Reads the run's message: describes what is new, and opens the queues this worker is welcome to. */
  async look(run: RunMessage): Promise<void> {
    this.#lookedAt = performance.now();
    if (run.revision > this.#latest.revision) this.#changedAt = this.#lookedAt;
    this.#latest = run;
    if (run.revision > this.#described && this.#describing === undefined) {
      this.#describing = this.#describe(run).finally(() => {
        this.#describing = undefined;
      });
      this.#describing.catch(() => {});
    }
    const { redis } = this.#link;
    const signed = await redis.hget(keys.welcomes(this.id), this.#self.id);
    const welcome = this.#signer.open<Welcome>("welcome", this.id, signed);
    if (welcome?.nonce === this.#nonce) this.#enter(welcome);
    // Repeated until it is answered, since a greeting may be lost.
    if (this.#described >= 0 && this.#welcomed < this.#described) await this.#greet();
  }

  /** Opens the exam of a bundle, once. */
  async open(ref: BundleRef): Promise<OpenedExam> {
    let exam = this.#exams.get(ref.hash);
    if (exam === undefined) {
      exam = this.#openExam(ref);
      this.#exams.set(ref.hash, exam);
      // The next job looks for a missing bundle again.
      exam.catch(() => this.#exams.delete(ref.hash));
    }
    return exam;
  }

  /** Leaves a run whose exam cannot be opened here, for example because the disk is full, and tells the run why. */
  async leave(why: string): Promise<void> {
    for (const id of Object.keys(this.#answers)) this.#answers[id] = cannot(new Error(why), this.#mask);
    await this.#greet();
  }

  /** Drops running trials and takes no more jobs. */
  async close(): Promise<void> {
    this.stop.abort();
    const sources = [...this.sources.values()];
    this.sources.clear();
    await Promise.allSettled(sources.map(({ queue }) => queue.close(true)));
    for (const exam of this.#exams.values()) await exam.then(({ pool }) => pool.close()).catch(() => {});
  }

  async #describe(run: RunMessage): Promise<void> {
    const { revision } = run;
    if (run.version === VERSION && run.protocol === PROTOCOL) {
      for (const target of run.targets) {
        if (target.id in this.#answers) continue;
        try {
          const found = await this.#findTarget(target);
          this.#answers[target.id] = await describeTarget(found, this.#maskFor([found]));
          this.#targets.set(target.id, found);
        } catch (error) {
          this.#answers[target.id] = cannot(error, this.#mask);
        }
      }
      if (run.judges !== undefined) await this.#describeJudges(run.judges);
    }
    this.#described = revision;
    await this.#greet();
  }

  async #findTarget(target: RunMessage["targets"][number]): Promise<Target> {
    const { only, env, folder } = this.#self;
    if (only !== undefined && !only.includes(target.id) && !only.includes(target.id.split(":", 1)[0] ?? ""))
      throw new Error(`it takes only ${only.join(", ")} (--targets)`);
    const dir = target.files === undefined ? folder : contentOf(await this.#bundle(target.files));
    return findTarget(target, { env, folder: dir });
  }

  async #describeJudges(judges: NonNullable<RunMessage["judges"]>): Promise<void> {
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
    await this.#link.redis.hset(keys.hellos(this.id), id, this.#signer.sign("hello", this.id, hello));
  }

  #enter({ serves, refused, revision }: Welcome): void {
    this.#welcomed = Math.max(this.#welcomed, revision);
    for (const why of refused) this.#sayOnce(`Run ${this.id.slice(0, 8)} refuses this worker: ${why}.`);
    const { bull, redis } = this.#link;
    const { prefix, name } = keys.queues(this.id);
    for (const target of serves) {
      if (this.sources.has(target)) continue;
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
      this.sources.set(target, { run: this, queue });
      const id = this.#latest.targets[target]?.id;
      this.#sayOnce(`Taking trials of ${id} (run ${this.id.slice(0, 8)}).`);
    }
    for (const [target, source] of this.sources) {
      if (serves.includes(target)) continue;
      this.sources.delete(target);
      source.queue.close(true).catch(() => {});
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
