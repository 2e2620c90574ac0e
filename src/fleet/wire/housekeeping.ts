import type { Link, Redis } from "./connect.ts";
import { keys, type Status } from "./messages.ts";
import type { Seal } from "./seal.ts";

/** Removes all that a session has in Redis; who takes it off the list does the work. */
export async function forgetSession(redis: Redis, id: string): Promise<void> {
  if ((await redis.srem(keys.sessions, id)) === 0) return;
  await redis.lrem(keys.wanted, 0, id);
  let cursor = "0";
  do {
    const [next, found] = await redis.scan(cursor, "MATCH", `proctor:{${id}}:*`, "COUNT", 1_000);
    if (found.length > 0) await redis.unlink(...found);
    cursor = next;
  } while (cursor !== "0");
}

/** Removes what BullMQ wrote into the queues of a session after that: a worker that had not heard yet may have looked into them once more. */
export async function forgetQueues({ redis, bull }: Link, id: string, targets: number): Promise<void> {
  const { prefix, name } = keys.queues(id);
  const all = new bull.QueueKeys(prefix);
  const left = Array.from({ length: targets }, (_, target) => Object.values(all.getKeys(name(target)))).flat();
  if (left.length > 0) await redis.unlink(...left);
}

/** The workers that have spoken lately, by Redis's own clock, and with this key; and how many have with another one. */
export async function liveWorkers(redis: Redis, seal: Seal): Promise<{ live: Map<string, Status>; strangers: number }> {
  const ids = await redis.smembers(keys.workers);
  const live = new Map<string, Status>();
  if (ids.length === 0) return { live, strangers: 0 };
  const texts = await redis.mget(ids.map(keys.worker));
  const gone: string[] = [];
  let strangers = 0;
  for (const [index, id] of ids.entries()) {
    const text = texts[index];
    if (text == null) gone.push(id);
    const status = text == null ? undefined : seal.open<Status>("status", "", text);
    if (status?.worker === id) live.set(id, status);
    else if (text != null) strangers++;
  }
  if (gone.length > 0) await redis.srem(keys.workers, ...gone);
  return { live, strangers };
}
