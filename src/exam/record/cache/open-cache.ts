import { ownFolder, UsageError } from "../../../base/index.ts";
import type { Cache } from "./cache.ts";
import { type CacheOptions, CacheStore } from "./store.ts";
import { targetCache } from "./target-cache.ts";

/** Opens the answers kept in `<root>/.proctor/cache`. Each part is read only when needed. */
export function openCache(root: string, options: CacheOptions): Cache {
  const place = () => ownFolder(root, "cache", "v2");
  let store: CacheStore;
  try {
    store = new CacheStore(place(), { ...options, checkPlace: place });
  } catch (error) {
    if (error instanceof UsageError) return closedCache(error.message);
    throw error;
  }
  return {
    forTarget: (target, skills) => targetCache(store, target, skills),
    problem: () => store.problem,
    close: async () => store.flush(),
  };
}

function closedCache(problem: string): Cache {
  const nothing = { get: async () => undefined, put: () => {}, whyAsked: async () => undefined };
  return { forTarget: () => nothing, problem: () => problem, close: async () => {} };
}
