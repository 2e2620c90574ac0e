import { Pace } from "../pace.ts";
import type { Members } from "./members.ts";

/** As many jobs may wait as trials ended within this time, and at most so many for every slot: one that its worker has taken ahead, and one in the queue. */
const AHEAD_MS = 250;
const MOST_AHEAD = 2;

/** How many attempts the fleet can use at once: on each target, by its place in the session, and, under undefined, on all. */
export class Places {
  readonly #members: Members;
  readonly #paces: ReadonlyMap<number | undefined, Pace>;
  #slots = new Map<number | undefined, number>();

  constructor(members: Members, targets: Iterable<number>) {
    this.#members = members;
    this.#paces = new Map([undefined, ...targets].map((target) => [target, new Pace(AHEAD_MS)]));
    this.count();
  }

  /** Counts the slots anew; whether there are more anywhere than before. */
  count(): boolean {
    const before = this.#slots;
    this.#slots = new Map([...this.#paces.keys()].map((target) => [target, this.#members.slots(target)]));
    return [...this.#slots].some(([target, slots]) => slots > (before.get(target) ?? 0));
  }

  /** Those under way and a few to come, at least one. */
  of(target: number | undefined): number {
    const slots = this.#slots.get(target) ?? 0;
    return slots + Math.max(1, Math.min(MOST_AHEAD * slots, this.#paces.get(target)?.ended() ?? 0));
  }

  /** A trial of this target has ended. */
  ended(target: number): void {
    for (const one of [undefined, target]) this.#paces.get(one)?.note();
  }
}
