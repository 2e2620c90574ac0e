import type { Redis } from "../wire/connect.ts";
import { keys } from "../wire/messages.ts";
import { type BundleRef, MOST_BYTES } from "./bundle.ts";

/** Small enough to be answered over a slow line before the connection counts as dead. */
const PIECE = 1024 * 1024;
/** Runs renew the bundles they need; others expire after this. */
const KEPT_MS = 10 * 60_000;

/** The run will send it again, for example after Redis lost it. */
export class NotThereYet extends Error {}

/** Sends a bundle unless it is there; true if it was sent. */
export async function sendBundle(redis: Redis, { hash }: BundleRef, packed: Buffer): Promise<boolean> {
  const key = keys.bundle(hash);
  if ((await redis.pexpire(key, KEPT_MS)) === 1) return false;
  // A transaction, so that concurrent senders leave it whole.
  const transaction = redis.multi().del(key);
  for (let at = 0; at < packed.length; at += PIECE) transaction.rpush(key, packed.subarray(at, at + PIECE));
  await transaction.pexpire(key, KEPT_MS).exec();
  return true;
}

/**
 * Anybody with access to Redis may have put anything there, so this fetches no more than the announced bundle can have.
 */
export async function fetchBundle(redis: Redis, { hash, bytes }: BundleRef): Promise<Buffer> {
  const most = packedAtMost(bytes);
  const pieces: Buffer[] = [];
  let size = 0;
  for (;;) {
    const [piece] = await redis.lrangeBuffer(keys.bundle(hash), pieces.length, pieces.length);
    if (piece === undefined) break;
    pieces.push(piece);
    size += piece.length;
    if (size > most || piece.length === 0) throw new Error("the bundle is not the one that was announced");
  }
  if (pieces.length === 0) throw new NotThereYet("the bundle of this run is not there yet");
  return Buffer.concat(pieces);
}

/** Incompressible data grows by at most five bytes per 16 kB, plus a frame. */
function packedAtMost(bytes: number): number {
  return Math.min(bytes, MOST_BYTES) * 1.001 + 1_000;
}
