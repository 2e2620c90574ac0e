import type { Redis } from "../wire/connect.ts";
import { keys } from "../wire/messages.ts";
import type { BundleRef } from "./bundle.ts";

const PIECE = 4 * 1024 * 1024;
/** Nobody renews a bundle that no run needs. */
const KEPT_MS = 10 * 60_000;

/** Puts a bundle where workers find it, unless it is there; true when it had to be sent. */
export async function sendBundle(redis: Redis, { hash }: BundleRef, packed: Buffer): Promise<boolean> {
  const key = keys.bundle(hash);
  if ((await redis.pexpire(key, KEPT_MS)) === 1) return false;
  // Whole or not at all, whoever sends it at the same time.
  const transaction = redis.multi().del(key);
  for (let at = 0; at < packed.length; at += PIECE) transaction.rpush(key, packed.subarray(at, at + PIECE));
  await transaction.pexpire(key, KEPT_MS).exec();
  return true;
}

export async function fetchBundle(redis: Redis, { hash }: BundleRef): Promise<Buffer> {
  const pieces = await redis.lrangeBuffer(keys.bundle(hash), 0, -1);
  if (pieces.length === 0) throw new Error("the bundle of this run is not there yet");
  return Buffer.concat(pieces);
}
