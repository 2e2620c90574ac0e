import { timerMs } from "../../base/index.ts";
import type { TrialError } from "../../model/index.ts";
import { STOPPED } from "./executor.ts";

/**
 * Ends an attempt when its time is over or the run is stopped. The AbortSignal is created on demand: Node keeps each
 * one, with its listeners, until a full garbage collection, and most quick answers never need it.
 */
export class TimeLimit {
  reason: TrialError | undefined;
  place = -1;
  readonly #timer: NodeJS.Timeout;
  readonly #stops: Stops;
  #controller: AbortController | undefined;
  #onFire: (() => void) | undefined;

  constructor(ms: number, stops: Stops) {
    const seconds = ms >= 1000 ? `${Math.round(ms / 1000)} s` : `${ms} ms`;
    const end = () => this.#fire({ reason: "timeout", message: `No end within ${seconds}`, retryable: false });
    this.#timer = setTimeout(end, timerMs(ms));
    this.#stops = stops;
    stops.add(this);
  }

  stop(): void {
    this.#fire(STOPPED);
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.reason !== undefined) this.#controller.abort(this.reason);
    return this.#controller.signal;
  }

  /** Resolves if the limit fires before it is cleared. */
  fired(): Promise<undefined> {
    return new Promise((resolve) => {
      if (this.reason !== undefined) resolve(undefined);
      else this.#onFire = () => resolve(undefined);
    });
  }

  clear(): void {
    clearTimeout(this.#timer);
    if (this.place < 0) return;
    this.#stops.remove(this);
    this.place = -1;
  }

  #fire(reason: TrialError): void {
    if (this.reason !== undefined) return;
    this.reason = reason;
    this.#controller?.abort(reason);
    this.#onFire?.();
  }
}

/**
 * Stops all attempts under way when the run is stopped. This is a plain list because a Set's old tables and removed
 * listeners keep dead attempts in memory until a full collection.
 */
export class Stops {
  readonly #limits: TimeLimit[] = [];
  #stopped = false;

  constructor(signal: AbortSignal) {
    const stop = () => {
      this.#stopped = true;
      for (const limit of [...this.#limits]) limit.stop();
    };
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  }

  add(limit: TimeLimit): void {
    limit.place = this.#limits.push(limit) - 1;
    if (this.#stopped) limit.stop();
  }

  remove(limit: TimeLimit): void {
    // `!`: `limit` is in the list, so the list is not empty.
    const last = this.#limits.pop()!;
    if (last === limit) return;
    this.#limits[limit.place] = last;
    last.place = limit.place;
  }
}
