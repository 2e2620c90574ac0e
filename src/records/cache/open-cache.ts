import { join } from "node:path";
import { ownFolder } from "../../base/index.ts";
import type { Cache } from "./cache.ts";
import { type CacheOptions, CacheStore } from "./store.ts";
import { targetCache } from "./target-cache.ts";

/** The answers kept under `<root>/.proctor/cache`. Nothing is read until it is asked for, and then only the part it is in. */
export function openCache(root: string, options: CacheOptions): Cache {
  const store = new CacheStore(join(root, ".proctor", "cache", "v2"), { ...options, checkPlace: () => ownFolder(root, "cache", "v2") });
  return {
    forTarget: (target, skills) => targetCache(store, target, skills),
    problem: () => store.problem,
    close: async () => store.flush(),
  };
}
