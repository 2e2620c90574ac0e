import type { Redis } from "../wire/connect.ts";
import { keys } from "../wire/messages.ts";
import { type BundleRef, MOST_BYTES } from "./bundle.ts";

/** Each is answered: over a slow line, too, before a connection is taken for dead. */
const PIECE = 1024 * 1024;
/** Nobody renews a bundle that no run needs. */
const KEPT_MS = 10 * 60_000;

/** Redis has lost it, say: the run sends it again. */
export class NotThereYet extends Error {}

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

/** Whoever reaches Redis may have put anything there, of any length: no more is fetched than the bundle that was announced can have. */
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

/** What cannot be compressed grows a little: five bytes for every 16 kB at worst, and the frame around it. */
function packedAtMost(bytes: number): number {
  return Math.min(bytes, MOST_BYTES) * 1.001 + 1_000;
}
