import type { Link, Redis } from "./connect.ts";
import { keys, type Status } from "./messages.ts";
import type { Signer } from "./signature.ts";

/** Removes everything a run has in Redis. Of several callers, the one that takes it off the list does the work. */
export async function forgetRun(redis: Redis, id: string): Promise<void> {
  if ((await redis.srem(keys.runs, id)) === 0) return;
  await redis.lrem(keys.wanted, 0, id);
  let cursor = "0";
  do {
    const [next, found] = await redis.scan(cursor, "MATCH", `proctor:{${id}}:*`, "COUNT", 1_000);
    if (found.length > 0) await redis.unlink(...found);
    cursor = next;
  } while (cursor !== "0");
}

/**
 * Removes what BullMQ wrote into a run's queues since then: a worker may have looked into them before it heard of the
 * end.
 */
export async function forgetQueues({ redis, bull }: Link, id: string, targets: number): Promise<void> {
  const { prefix, name } = keys.queues(id);
  const all = new bull.QueueKeys(prefix);
  const left = Array.from({ length: targets }, (_, target) => Object.values(all.getKeys(name(target)))).flat();
  if (left.length > 0) await redis.unlink(...left);
}

/** Workers heard from recently, by Redis's clock: those with this key, and the number with another one. */
export async function liveWorkers(
  redis: Redis,
  signer: Signer,
): Promise<{ live: Map<string, Status>; strangers: number }> {
  const ids = await redis.smembers(keys.workers);
  const live = new Map<string, Status>();
  if (ids.length === 0) return { live, strangers: 0 };
  const texts = await redis.mget(ids.map(keys.worker));
  const gone: string[] = [];
  let strangers = 0;
  for (const [index, id] of ids.entries()) {
    const text = texts[index];
    if (text == null) gone.push(id);
    const status = text == null ? undefined : signer.open<Status>("status", "", text);
    if (status?.worker === id) live.set(id, status);
    else if (text != null) strangers++;
  }
  if (gone.length > 0) await redis.srem(keys.workers, ...gone);
  return { live, strangers };
}

/** Waits for the work, but no longer than this; ignores its failure. */
export async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work.catch(() => {}), late]);
  clearTimeout(timer);
}
