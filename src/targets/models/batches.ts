import { setTimeout as sleep } from "node:timers/promises";

/** Combines what is asked at about the same time into one call. Items with different keys never share one. */
export class Batches<Item, Result> {
  readonly #most: number;
  readonly #call: (items: readonly Item[], signal: AbortSignal) => Promise<Result[]>;
  readonly #open = new Map<string, Batch<Item, Result>>();

  constructor(most: number, call: (items: readonly Item[], signal: AbortSignal) => Promise<Result[]>) {
    this.#most = most;
    this.#call = call;
  }

  /** The call is aborted once the signals of all its items have fired. */
  async add(item: Item, key: string, signal: AbortSignal): Promise<Result> {
    let batch = this.#open.get(key);
    if (batch === undefined) {
      batch = { items: [], signals: [], results: undefined };
      this.#open.set(key, batch);
    }
    const at = batch.items.push(item) - 1;
    batch.signals.push(signal);
    batch.results ??= this.#later(key, batch);
    if (batch.items.length >= this.#most) this.#open.delete(key);
    const result = (await batch.results)[at];
    if (result === undefined) throw new Error("a batch returned fewer results than it was given items");
    return result;
  }

  async #later(key: string, batch: Batch<Item, Result>): Promise<Result[]> {
    await sleep(GATHER_MS);
    if (this.#open.get(key) === batch) this.#open.delete(key);
    const all = new AbortController();
    const giveUp = () => {
      if (batch.signals.every(({ aborted }) => aborted)) all.abort(batch.signals[0]?.reason);
    };
    for (const signal of batch.signals) signal.addEventListener("abort", giveUp, { once: true });
    giveUp();
    return this.#call(batch.items, all.signal);
  }
}

/** Long enough for everything the schedule starts at once, and short beside a call of seconds. */
const GATHER_MS = 50;

interface Batch<Item, Result> {
  items: Item[];
  signals: AbortSignal[];
  results: Promise<Result[]> | undefined;
}
