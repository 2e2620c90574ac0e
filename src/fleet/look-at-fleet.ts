import { connect } from "./wire/connect.ts";
import { liveWorkers } from "./wire/housekeeping.ts";
import { type Ability, keys, type RunMessage } from "./wire/messages.ts";
import { createSigner } from "./wire/signature.ts";

/** Workers and runs at a Redis, as `proctor doctor` shows them. */
export interface FleetView {
  place: string;
  server: string;
  /** The eviction policy under which Redis may drop jobs when its memory is full. */
  evicts: string | undefined;
  /** Redis writes its data to disk. */
  persists: boolean | undefined;
  workers: { name: string; version: string; slots: number; running: number; can: Ability }[];
  runs: number;
  /** Entries that are not signed with this key. */
  unsigned: number;
}

export async function lookAtFleet(url: string, env: NodeJS.ProcessEnv): Promise<FleetView> {
  const signer = createSigner(env);
  const { redis, place, close } = await connect(url);
  try {
    const info = await redis.info("server");
    const { live, strangers } = await liveWorkers(redis, signer);
    const ids = await redis.smembers(keys.runs);
    let runs = 0;
    let unsigned = strangers;
    for (const id of ids) {
      const signed = await redis.get(keys.run(id));
      const run = signed === null ? undefined : signer.open<RunMessage>("run", id, signed);
      if (run !== undefined && !run.ended) runs++;
      if (signed !== null && run === undefined) unsigned++;
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

/** Undefined if the server refuses CONFIG, as hosted ones do. */
async function setting(redis: Awaited<ReturnType<typeof connect>>["redis"], name: string): Promise<string | undefined> {
  const [, value] = ((await redis.config("GET", name).catch(() => [])) as string[]) ?? [];
  return value;
}
