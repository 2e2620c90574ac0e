import { printable } from "../../base/index.ts";
import type { Hello, Status } from "../wire/messages.ts";

/** A worker that takes part in the run. */
interface Member {
  hello: Hello;
  /** Indexes of the targets whose jobs it may take. */
  serves: ReadonlySet<number>;
  /** Its last status; undefined if it is gone. */
  status: Status | undefined;
}

/** Workers send a status every second, but may be late. */
const LEAST_SILENCE_MS = 4_000;

/** The workers that take part in a run, and which of them are alive. */
export class Members {
  /** A worker silent for this long is gone. */
  readonly silenceMs: number;
  /** Number of live workers with another key. */
  strangers = 0;
  readonly #run: string;
  readonly #members = new Map<string, Member>();
  #live = new Map<string, Status>();
  /** The last beat of each worker, and when it was new. */
  readonly #heard = new Map<string, { beat: number; at: number }>();
  #lookedAt = performance.now();

  constructor(run: string, leaseMs: number) {
    this.#run = run;
    this.silenceMs = Math.max(leaseMs, LEAST_SILENCE_MS);
  }

  /** Takes the workers Redis knows now. One that was silent is alive again as soon as it speaks. */
  see({ live, strangers }: { live: Map<string, Status>; strangers: number }): void {
    this.#live = live;
    this.strangers = strangers;
    this.#dropSilent();
    for (const [worker, member] of this.#members) member.status = this.#live.get(worker);
  }

  /** Records a greeting; the worker must then be told again what it may take. */
  greet(hello: Hello): void {
    this.#members.set(hello.worker, { hello, serves: new Set(), status: this.#live.get(hello.worker) });
  }

  /** All workers that ever took part. */
  [Symbol.iterator](): Iterator<[string, Member]> {
    return this.#members[Symbol.iterator]();
  }

  /** True if no worker with this key is alive. */
  get isDeserted(): boolean {
    return this.#live.size === 0;
  }

  /** Greetings of live workers for this revision. */
  hellos(revision: number): Hello[] {
    return this.#here().flatMap(({ hello }) => (hello.revision >= revision ? [hello] : []));
  }

  haveAllAnswered(revision: number): boolean {
    return (
      !this.isDeserted &&
      [...this.#live.keys()].every((worker) => (this.#members.get(worker)?.hello.revision ?? -1) >= revision)
    );
  }

  /** Slots of live workers that may take this target's jobs, or any jobs. */
  slots(target?: number): number {
    let slots = 0;
    for (const { hello, serves } of this.#here())
      if (target === undefined ? serves.size > 0 : serves.has(target)) slots += hello.slots;
    return slots;
  }

  /** Live workers with something to do. */
  atWork(): { name: string; slots: number; running: readonly string[] }[] {
    const serving = this.#here().filter(({ serves }) => serves.size > 0);
    return serving.map(({ hello, status }) => ({
      name: hello.name,
      slots: hello.slots,
      running: status?.running[this.#run] ?? [],
    }));
  }

  /** Why live workers cannot run a target; undefined if none says. */
  whyNot(target: string): string | undefined {
    const said = this.#here().flatMap(({ hello }) => {
      const described = hello.targets[target];
      return described !== undefined && "cannot" in described ? [`${hello.name}: ${described.cannot}`] : [];
    });
    return said.length === 0 ? undefined : reasons(said);
  }

  /** Number of workers that were alive then or later, and are gone now. */
  goneSince(at: number): number {
    const wasThere = (worker: string) =>
      (this.#heard.get(worker)?.at ?? Number.NEGATIVE_INFINITY) > at - LEAST_SILENCE_MS;
    return [...this.#members].filter(([worker, { status }]) => status === undefined && wasThere(worker)).length;
  }

  #here(): Member[] {
    return [...this.#members.values()].filter(({ status }) => status !== undefined);
  }

  /**
   * Redis keeps a status for longer than a lease, so a worker that says nothing new is gone. After an outage of Redis,
   * all get a full lease again.
   */
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
}

/** Joins what several workers say: each reason once, at most three. */
export function reasons(texts: readonly string[]): string {
  const distinct = [...new Set(texts)];
  const shown = distinct.slice(0, 3).join("; ");
  return printable(distinct.length <= 3 ? shown : `${shown} and ${distinct.length - 3} more`);
}
