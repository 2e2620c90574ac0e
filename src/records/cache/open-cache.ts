import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Cache, CachedTarget, Mask, StagedSkill, TargetCache } from "../contract.ts";
import { explainDisk } from "../disk.ts";
import { appendToBucket, Bucket, type Key } from "./bucket.ts";
import { pruneSnapshots } from "./snapshots.ts";
import { targetCache } from "./target-cache.ts";

export interface CacheOptions {
  mask: Mask;
  /** Answers measured longer ago are asked again. Default 30. */
  maxAgeDays?: number;
  /** Milliseconds since 1970. */
  now?: () => number;
}

const DAY_MS = 86_400_000;
const FLUSH_MS = 1_000;
const FLUSH_CHARS = 8_000_000;

/** The answers kept under `<root>/.proctor/cache`. Nothing is read before it is asked for, and then only the part it is in. */
export function openCache(root: string, options: CacheOptions): Cache {
  const store = new Store(join(root, ".proctor", "cache", "v1"), options);
  return {
    forTarget: (target: CachedTarget, skills: readonly StagedSkill[]): TargetCache => targetCache(store, target, skills),
    problem: () => store.problem,
    close: async () => store.flush(),
  };
}

/** The buckets of a cache, and the lines on their way to them. */
export class Store {
  readonly dir: string;
  readonly mask: Mask;
  readonly maxAgeDays: number;
  readonly oldest: number;
  problem: string | undefined;
  readonly #buckets = new Map<string, Bucket>();
  readonly #waiting = new Map<string, string[]>();
  /** Marks of the keys this process has added since their bucket was read, by bucket. */
  readonly #unread = new Map<string, Set<number>>();
  #chars = 0;
  #timer: NodeJS.Timeout | undefined;
  #pruned = false;

  constructor(dir: string, { mask, maxAgeDays = 30, now = Date.now }: CacheOptions) {
    this.dir = dir;
    this.mask = mask;
    this.maxAgeDays = maxAgeDays;
    this.oldest = now() - maxAgeDays * DAY_MS;
  }

  bucket(key: Key): Bucket {
    const name = nameOf(key);
    if (this.#unread.get(name)?.has(mark(key))) {
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

  forget(key: Key): void {
    const name = nameOf(key);
    this.#buckets.delete(name);
    this.#unread.delete(name);
  }

  add(key: Key, line: string): void {
    if (this.problem !== undefined) return;
    const name = nameOf(key);
    grow(this.#waiting, name, () => []).push(line);
    grow(this.#unread, name, () => new Set<number>()).add(mark(key));
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
      mkdirSync(this.dir, { recursive: true });
      for (const [name, lines] of this.#waiting) appendToBucket(this.#file(name), lines);
      if (!this.#pruned) pruneSnapshots(this.dir, this.oldest);
      this.#pruned = true;
    });
    this.#waiting.clear();
  }

  /** A cache that cannot be written is a pity, not an error: the run goes on and nothing more is kept. */
  attempt(write: () => void): void {
    try {
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

function nameOf({ ask }: Key): string {
  return ask.slice(0, 2);
}

/** A number for a key. Two keys may share one: then a bucket is read once more than it need be. */
function mark({ ask, run, target, library }: Key): number {
  return (
    (Number.parseInt(ask.slice(2, 14), 16) + Number.parseInt(target.slice(0, 8), 16) + Number.parseInt(library.slice(0, 8), 16)) * 8 + run
  );
}

function grow<Value>(map: Map<string, Value>, name: string, fresh: () => Value): Value {
  let value = map.get(name);
  if (value === undefined) {
    value = fresh();
    map.set(name, value);
  }
  return value;
}
