import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Cache, CachedTarget, Mask, StagedSkill, TargetCache } from "../contract.ts";
import { explainDisk } from "../disk.ts";
import { appendToBucket, Bucket } from "./bucket.ts";
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
  /** Keys this process has added since their bucket was read, by bucket. */
  readonly #unread = new Map<string, Set<string>>();
  #chars = 0;
  #timer: NodeJS.Timeout | undefined;
  #pruned = false;

  constructor(dir: string, { mask, maxAgeDays = 30, now = Date.now }: CacheOptions) {
    this.dir = dir;
    this.mask = mask;
    this.maxAgeDays = maxAgeDays;
    this.oldest = now() - maxAgeDays * DAY_MS;
  }

  bucket(ask: string, key: string): Bucket {
    const name = ask.slice(0, 2);
    if (this.#unread.get(name)?.has(key)) {
      this.flush();
      this.forget(ask);
    }
    let bucket = this.#buckets.get(name);
    if (bucket === undefined) {
      bucket = new Bucket(this.#file(name), this.oldest);
      this.#buckets.set(name, bucket);
    }
    return bucket;
  }

  forget(ask: string): void {
    const name = ask.slice(0, 2);
    this.#buckets.delete(name);
    this.#unread.delete(name);
  }

  add(ask: string, key: string, line: string): void {
    if (this.problem !== undefined) return;
    const name = ask.slice(0, 2);
    grow(this.#waiting, name, () => []).push(line);
    grow(this.#unread, name, () => new Set<string>()).add(key);
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

function grow<Value>(map: Map<string, Value>, name: string, fresh: () => Value): Value {
  let value = map.get(name);
  if (value === undefined) {
    value = fresh();
    map.set(name, value);
  }
  return value;
}
