import type { Hello, Status } from "../wire/messages.ts";
import { reasons } from "./reasons.ts";

/** A worker that takes part. */
interface Member {
  hello: Hello;
  /** The targets whose jobs it may take. */
  serves: ReadonlySet<number>;
  /** Its last word; undefined where it is gone. */
  status: Status | undefined;
}

/** A worker speaks every second; it may be late. */
const LEAST_SILENCE_MS = 4_000;

/** Who takes part in a session, and who of them is there. */
export class Members {
  /** A worker that says nothing for so long is gone. */
  readonly silenceMs: number;
  /** Workers that are there with another key. */
  strangers = 0;
  readonly #session: string;
  readonly #members = new Map<string, Member>();
  #live = new Map<string, Status>();
  /** The last word of each worker, and when it was new. */
  readonly #heard = new Map<string, { beat: number; at: number }>();
  #lookedAt = performance.now();

  constructor(session: string, leaseMs: number) {
    this.#session = session;
    this.silenceMs = Math.max(leaseMs, LEAST_SILENCE_MS);
  }

  /** What Redis has of workers now. One that was silent for a while is a member again as soon as it speaks. */
  see({ live, strangers }: { live: Map<string, Status>; strangers: number }): void {
    this.#live = live;
    this.strangers = strangers;
    this.#dropSilent();
    for (const [worker, member] of this.#members) member.status = this.#live.get(worker);
  }

  /** It says what it can do, for the first time or again: what it may take is to be said anew. */
  greet(hello: Hello): void {
    this.#members.set(hello.worker, { hello, serves: new Set(), status: this.#live.get(hello.worker) });
  }

  /** All that ever took part. */
  [Symbol.iterator](): Iterator<[string, Member]> {
    return this.#members[Symbol.iterator]();
  }

  /** Nobody with this key is there, whether it takes part or not. */
  get isDeserted(): boolean {
    return this.#live.size === 0;
  }

  /** What those that are there say of this revision of the session. */
  hellos(revision: number): Hello[] {
    return this.#here().flatMap(({ hello }) => (hello.revision >= revision ? [hello] : []));
  }

  /** Everybody who is there has said something of this revision. */
  haveAllAnswered(revision: number): boolean {
    return (
      !this.isDeserted &&
      [...this.#live.keys()].every((worker) => (this.#members.get(worker)?.hello.revision ?? -1) >= revision)
    );
  }

  /** The slots of workers that are there and may take this target's jobs, or any. */
  slots(target?: number): number {
    let slots = 0;
    for (const { hello, serves } of this.#here())
      if (target === undefined ? serves.size > 0 : serves.has(target)) slots += hello.slots;
    return slots;
  }

  /** Those that take part now. */
  atWork(): { name: string; slots: number; running: readonly string[] }[] {
    const serving = this.#here().filter(({ serves }) => serves.size > 0);
    return serving.map(({ hello, status }) => ({
      name: hello.name,
      slots: hello.slots,
      running: status?.running[this.#session] ?? [],
    }));
  }

  /** What those that are there say why they cannot run a target; undefined where nobody says anything. */
  whyNot(target: string): string | undefined {
    const said = this.#here().flatMap(({ hello }) => {
      const described = hello.targets[target];
      return described !== undefined && "cannot" in described ? [`${hello.name}: ${described.cannot}`] : [];
    });
    return said.length === 0 ? undefined : reasons(said);
  }

  /** How many that took part were there then, or came later, and are gone now. */
  goneSince(at: number): number {
    const wasThere = (worker: string) =>
      (this.#heard.get(worker)?.at ?? Number.NEGATIVE_INFINITY) > at - LEAST_SILENCE_MS;
    return [...this.#members].filter(([worker, { status }]) => status === undefined && wasThere(worker)).length;
  }

  #here(): Member[] {
    return [...this.#members.values()].filter(({ status }) => status !== undefined);
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
}
