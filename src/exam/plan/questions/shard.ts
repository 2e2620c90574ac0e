import type { Shard } from "../../../base/options/index.ts";

/** By the ask alone, so that machines with different histories cut alike and no ask is put in two shards. */
export function inShard(askKey: string, { index, count }: Shard): boolean {
  return Number.parseInt(askKey.slice(0, 12), 16) % count === index - 1;
}
