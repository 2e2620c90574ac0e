import type { Queue } from "bullmq";
import type { Link } from "../wire/connect.ts";
import { type JobMessage, keys } from "../wire/messages.ts";
import type { Seal } from "../wire/seal.ts";

/** A job in a queue, by the place of its target in the session. */
export interface QueuedJob {
  target: number;
  message: JobMessage;
}

/** What is in neither of these lists is lost, even where something of it is left. */
const LISTS = ["wait", "active"];

/** The queues of a session, one a target. */
export class JobQueues {
  readonly #link: Link;
  readonly #seal: Seal;
  readonly #session: string;
  readonly #queues: Queue[];

  constructor(link: Link, seal: Seal, session: { id: string; targets: readonly unknown[] }) {
    this.#link = link;
    this.#seal = seal;
    this.#session = session.id;
    const { prefix, name } = keys.queues(session.id);
    this.#queues = session.targets.map((_, index) => {
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

  /** One that could not be added, since the connection was lost in the middle, is in none of them. */
  add({ target, message }: QueuedJob): void {
    const sealed = this.#seal.close("job", this.#session, message);
    this.#queues[target]?.add("trial", { sealed }, { jobId: message.id }).catch(() => {});
  }

  /** Adds one that was lost. */
  async addAgain(job: QueuedJob): Promise<void> {
    // BullMQ would take it for the same job.
    await this.#link.redis.unlink(this.#key(job.target, job.message.id));
    this.add(job);
  }

  remove({ target, message }: QueuedJob): void {
    this.#queues[target]?.remove(message.id).catch(() => {});
  }

  /** Takes it back, unless a worker has taken it. */
  async takeBack({ target, message }: QueuedJob): Promise<boolean> {
    return (await this.#link.redis.lrem(this.#key(target, "wait"), 1, message.id).catch(() => 0)) > 0;
  }

  /** Those that neither wait nor were taken. */
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
    const { prefix, name } = keys.queues(this.#session);
    return `${prefix}:${name(target)}:${part}`;
  }
}
