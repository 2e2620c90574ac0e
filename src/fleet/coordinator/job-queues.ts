import type { Queue } from "bullmq";
import type { Link } from "../wire/connect.ts";
import { type JobMessage, keys } from "../wire/messages.ts";
import type { Signer } from "../wire/signature.ts";

/** A job in the queue of the target with this index. */
export interface QueuedJob {
  target: number;
  message: JobMessage;
}

/** A job in neither of these lists is lost, even if parts of it are left. */
const LISTS = ["wait", "active"];

/** The queues of a run, one per target. */
export class JobQueues {
  readonly #link: Link;
  readonly #signer: Signer;
  readonly #run: string;
  readonly #queues: Queue[];

  constructor(link: Link, signer: Signer, run: { id: string; targets: readonly unknown[] }) {
    this.#link = link;
    this.#signer = signer;
    this.#run = run.id;
    const { prefix, name } = keys.queues(run.id);
    this.#queues = run.targets.map((_, index) => {
      const queue = new link.bull.Queue(name(index), {
        connection: link.redis,
        prefix,
        skipVersionCheck: true,
        streams: { events: { maxLen: 100 } },
        defaultJobOptions: { removeOnComplete: true, removeOnFail: true, attempts: 1 },
      });
      queue.on("error", () => {});
      return queue;
    });
  }

  /** A job that could not be added because the connection broke counts as lost later. */
  add({ target, message }: QueuedJob): void {
    const signed = this.#signer.sign("job", this.#run, message);
    this.#queues[target]?.add("trial", { signed }, { jobId: message.id }).catch(() => {});
  }

  async addAgain(job: QueuedJob): Promise<void> {
    // BullMQ would treat it as a duplicate.
    await this.#link.redis.unlink(this.#key(job.target, job.message.id));
    this.add(job);
  }

  remove({ target, message }: QueuedJob): void {
    this.#queues[target]?.remove(message.id).catch(() => {});
  }

  /** Returns false if a worker has taken it. */
  async takeBack({ target, message }: QueuedJob): Promise<boolean> {
    return (await this.#link.redis.lrem(this.#key(target, "wait"), 1, message.id).catch(() => 0)) > 0;
  }

  /** Jobs that are neither waiting nor taken. */
  async lost<Job extends QueuedJob>(jobs: readonly Job[]): Promise<Job[]> {
    const looks = jobs.flatMap(({ target, message }) =>
      LISTS.map((list) => ["lpos", this.#key(target, list), message.id]),
    );
    const found = (await this.#link.redis.pipeline(looks).exec()) ?? [];
    return jobs.filter((_, index) => {
      const places = found.slice(index * LISTS.length, (index + 1) * LISTS.length);
      return places.length > 0 && places.every(([error, place]) => error === null && place === null);
    });
  }

  #key(target: number, part: string): string {
    const { prefix, name } = keys.queues(this.#run);
    return `${prefix}:${name(target)}:${part}`;
  }
}
