import { connect } from "./wire/connect.ts";
import { liveWorkers } from "./wire/housekeeping.ts";
import { type Ability, keys, type Session } from "./wire/messages.ts";
import { createSeal } from "./wire/seal.ts";

/** Who is at a Redis, as `proctor doctor` shows it. */
export interface FleetView {
  place: string;
  server: string;
  /** Redis may drop what it holds when its memory is full, and jobs with it. */
  evicts: string | undefined;
  /** It writes what it holds to its disk. */
  persists: boolean | undefined;
  workers: { name: string; version: string; slots: number; running: number; can: Ability }[];
  runs: number;
  /** Entries that are not signed with this key. */
  unsigned: number;
}

export async function lookAtFleet(url: string, env: NodeJS.ProcessEnv): Promise<FleetView> {
  const seal = createSeal(env);
  const { redis, place, close } = await connect(url);
  try {
    const info = await redis.info("server");
    const { live, strangers } = await liveWorkers(redis, seal);
    const sessions = await redis.smembers(keys.sessions);
    let runs = 0;
    let unsigned = strangers;
    for (const id of sessions) {
      const sealed = await redis.get(keys.session(id));
      const session = sealed === null ? undefined : seal.open<Session>("session", id, sealed);
      if (session !== undefined && !session.ended) runs++;
      if (sealed !== null && session === undefined) unsigned++;
    }
    const policy = await setting(redis, "maxmemory-policy");
    const workers = [...live.values()].map(({ name, version, slots, can, running }) => ({
      name,
      version,
      slots,
      running: Object.values(running).reduce((sum, ids) => sum + ids.length, 0),
      can,
    }));
    return {
      place,
      server: `${/valkey_version/.test(info) ? "Valkey" : "Redis"} ${/(?:valkey|redis)_version:(\S+)/.exec(info)?.[1] ?? "?"}`,
      evicts: policy === undefined || policy === "noeviction" ? undefined : policy,
      persists:
        (await setting(redis, "appendonly")) === undefined ? undefined : (await setting(redis, "appendonly")) === "yes",
      workers: workers.sort((a, b) => (a.name < b.name ? -1 : 1)),
      runs,
      unsigned,
    };
  } finally {
    close();
  }
}

/** undefined where the server does not tell: hosted ones refuse CONFIG. */
async function setting(redis: Awaited<ReturnType<typeof connect>>["redis"], name: string): Promise<string | undefined> {
  const [, value] = ((await redis.config("GET", name).catch(() => [])) as string[]) ?? [];
  return value;
}
