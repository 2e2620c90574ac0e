import { join } from "node:path";
import type { Mask } from "../../../base/index.ts";
import { explainDisk, makeFolder, syncFolder } from "../disk.ts";
import { type AnswerKey, appendToBucket, Bucket } from "./bucket.ts";
import { pruneSnapshots } from "./snapshots.ts";

export interface CacheOptions {
  mask: Mask;
  /** Older answers are asked again. Default 30. */
  maxAgeDays?: number;
  now?: () => number;
}

interface StoreOptions extends CacheOptions {
  checkPlace(): void;
}

const DAY_MS = 86_400_000;
const CLOCKS_DIFFER_MS = 300_000;
const FLUSH_MS = 1_000;
const FLUSH_CHARS = 8_000_000;

export class CacheStore {
  readonly dir: string;
  readonly mask: Mask;
  readonly maxAgeDays: number;
  readonly oldest: number;
  readonly #now: () => number;
  readonly #checkPlace: () => void;
  problem: string | undefined;
  readonly #buckets = new Map<string, Bucket>();
  readonly #waiting = new Map<string, string[]>();
  /** Per bucket: hashes of the keys this process has added since the bucket was read. */
  readonly #unread = new Map<string, Set<number>>();
  #chars = 0;
  #timer: NodeJS.Timeout | undefined;
  #pruned = false;

  constructor(dir: string, { mask, maxAgeDays = 30, now = Date.now, checkPlace }: StoreOptions) {
    this.dir = dir;
    this.mask = mask;
    this.maxAgeDays = maxAgeDays;
    this.oldest = now() - maxAgeDays * DAY_MS;
    this.#now = now;
    this.#checkPlace = checkPlace;
  }

  /** A date beyond clock differences says nothing about the answer's age. */
  isFromTheFuture(at: number): boolean {
    return at > this.#now() + CLOCKS_DIFFER_MS;
  }

  bucket(key: AnswerKey): Bucket {
    const name = nameOf(key);
    if (this.#unread.get(name)?.has(hashOf(key))) {
      this.flush();
      this.forget(key);
    }
    let bucket = this.#buckets.get(name);
    if (bucket === undefined) {
      bucket = new Bucket(this.#file(name), this.oldest);
      this.#buckets.set(name, bucket);
    }
    return bucket;
  }

  forget(key: AnswerKey): void {
    const name = nameOf(key);
    this.#buckets.delete(name);
    this.#unread.delete(name);
  }

  add(key: AnswerKey, line: string): void {
    if (this.problem !== undefined) return;
    const name = nameOf(key);
    getOrCreate(this.#waiting, name, () => []).push(line);
    getOrCreate(this.#unread, name, () => new Set<number>()).add(hashOf(key));
    this.#chars += line.length;
    if (this.#chars > FLUSH_CHARS) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), FLUSH_MS).unref();
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#chars = 0;
    if (this.#waiting.size === 0) return;
    this.attempt(() => {
      makeFolder(this.dir);
      const created = [...this.#waiting].map(([name, lines]) => appendToBucket(this.#file(name), lines).created);
      if (created.includes(true)) syncFolder(this.dir);
      if (!this.#pruned) pruneSnapshots(this.dir, this.oldest);
      this.#pruned = true;
    });
    this.#waiting.clear();
  }

  /** A cache that cannot be written is no reason to fail: the run continues and nothing more is cached. */
  attempt(write: () => void): void {
    try {
      this.#checkPlace();
      write();
    } catch (error) {
      const reason = explainDisk(error, this.dir);
      this.problem = reason instanceof Error ? reason.message : String(reason);
    }
  }

  #file(name: string): string {
    return join(this.dir, `answers-${name}.jsonl`);
  }
}

function nameOf({ ask }: AnswerKey): string {
  return ask.slice(0, 2);
}

/** If two keys share a hash, a bucket is read once more than necessary. */
function hashOf({ ask, run, target, library }: AnswerKey): number {
  return (
    (Number.parseInt(ask.slice(2, 14), 16) +
      Number.parseInt(target.slice(0, 8), 16) +
      Number.parseInt(library.slice(0, 8), 16)) *
      8 +
    run
  );
}

function getOrCreate<Value>(map: Map<string, Value>, name: string, create: () => Value): Value {
  let value = map.get(name);
  if (value === undefined) {
    value = create();
    map.set(name, value);
  }
  return value;
}
