import { UsageError } from "../base/index.ts";

export interface Shard {
  /** From 1. */
  index: number;
  count: number;
}

/** `2/5`: the second of five parts. */
export function parseShard(text: string): Shard {
  const match = /^(\d+)\/(\d+)$/.exec(text.trim());
  const index = Number(match?.[1]);
  const count = Number(match?.[2]);
  if (match === null || index < 1 || count < 1 || index > count) {
    throw new UsageError(`--shard ${text} is no part of a whole.`, "Write --shard 1/4, up to 4/4.");
  }
  return { index, count };
}

/** By the ask alone, so that machines with different histories cut alike and no ask is put in two shards. */
export function inShard(askKey: string, { index, count }: Shard): boolean {
  return Number.parseInt(askKey.slice(0, 12), 16) % count === index - 1;
}
