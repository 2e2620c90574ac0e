import type { Redis } from "./connect.ts";
import { keys } from "./messages.ts";

/** Entries that are read at once; each has what a worker sent together. */
const MOST_ENTRIES = 50;
/** So long a reader waits for the first. */
const WAIT_MS = 2_000;

/** Leaves results, sealed, for the run. */
export function sendResults(redis: Redis, session: string, sealed: readonly string[]): Promise<string | null> {
  return redis.xadd(keys.results(session), "*", ...sealed.flatMap((result) => ["result", result]));
}

/**
 * The results that are there, or come soon. They stay in Redis until `forget` is called: an answer that is lost on its way, with the
 * connection, takes no result with it.
 */
export async function readResults(redis: Redis, session: string): Promise<{ sealed: string[]; forget(): void }> {
  const key = keys.results(session);
  const read = await redis.xread("COUNT", MOST_ENTRIES, "BLOCK", WAIT_MS, "STREAMS", key, "0");
  const entries = read?.[0]?.[1] ?? [];
  return {
    sealed: entries.flatMap(([, fields]) => fields.filter((_, index) => index % 2 === 1)),
    forget: () => void (entries.length > 0 && redis.xdel(key, ...entries.map(([id]) => id)).catch(() => {})),
  };
}
