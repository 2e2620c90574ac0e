import type { Redis } from "./connect.ts";
import { keys } from "./messages.ts";

/** Entries read at once; each may hold several results of one worker. */
const MOST_ENTRIES = 50;
/** How long a reader waits for the first entry. */
const WAIT_MS = 2_000;

export function sendResults(redis: Redis, run: string, signed: readonly string[]): Promise<string | null> {
  return redis.xadd(keys.results(run), "*", ...signed.flatMap((result) => ["result", result]));
}

/**
 * Reads the results that are there or come soon. They stay in Redis until `forget` is called, so that a lost connection
 * loses no result.
 */
export async function readResults(redis: Redis, run: string): Promise<{ signed: string[]; forget(): void }> {
  const key = keys.results(run);
  const read = await redis.xread("COUNT", MOST_ENTRIES, "BLOCK", WAIT_MS, "STREAMS", key, "0");
  const entries = read?.[0]?.[1] ?? [];
  return {
    signed: entries.flatMap(([, fields]) => fields.filter((_, index) => index % 2 === 1)),
    forget: () => void (entries.length > 0 && redis.xdel(key, ...entries.map(([id]) => id)).catch(() => {})),
  };
}
