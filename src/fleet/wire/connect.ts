import { createRequire } from "node:module";
import { join } from "node:path";
import type { Writable } from "node:stream";
import { pathToFileURL } from "node:url";
import type { Redis } from "ioredis";
import { hideFromOutput, printable, secretsOf, UsageError } from "../../base/index.ts";

export type { Redis } from "ioredis";

type Bull = typeof import("bullmq");

/** A connection to Redis, with BullMQ on it. */
export interface Link {
  redis: Redis;
  bull: Bull;
  /** The address without user and password, for messages. */
  place: string;
  /** Parts of the address that must stay hidden. */
  secrets: readonly string[];
  /** Opens another connection: a blocking command needs its own. */
  another(): Redis;
  close(): void;
}

const PATIENCE_MS = 10_000;
/**
 * A network can fail silently: after this long without an answer the client reconnects and sends unanswered commands
 * again.
 */
const SILENCE_MS = 20_000;

/**
 * Connects to `redis://` or `rediss://` (TLS). A connection lost later is retried forever while commands wait, so
 * callers that depend on an answer need their own time limit.
 */
export async function connect(url: string, onFault?: (fault: string | undefined) => void): Promise<Link> {
  const { place, secrets } = parse(url);
  hideFromOutput(secrets);
  const [bull, { Redis: Client }] = await Promise.all([
    load<Bull>("bullmq"),
    load<typeof import("ioredis")>("ioredis"),
  ]);
  const open = () => {
    const client = new Client(url, {
      maxRetriesPerRequest: null,
      retryStrategy: (times) => Math.min(50 * 2 ** times, 2_000),
      lazyConnect: true,
      socketTimeout: SILENCE_MS,
    });
    client.on("connect", () => writeTogether(client.stream));
    // Without a listener an error would end the process; failures are reported where they matter.
    client.on("error", () => {});
    return client;
  };
  const redis = open();
  await reach(redis, place);
  let down = false;
  redis.on("close", () => {
    if (down) return;
    down = true;
    onFault?.(`${place} does not answer; trying again`);
  });
  redis.on("ready", () => {
    if (down) onFault?.(undefined);
    down = false;
  });
  const opened = [redis];
  return {
    redis,
    bull,
    place,
    secrets,
    another() {
      const client = open();
      client.connect().catch(() => {});
      opened.push(client);
      return client;
    },
    close: () => {
      down = true;
      for (const client of opened) client.disconnect();
    },
  };
}

/**
 * Sends everything of one event-loop turn in one write, because each write wakes the other side. (ioredis can gather
 * commands, too, but copies all of BullMQ's scripts each time.)
 */
function writeTogether(stream: Writable): void {
  const write = stream.write.bind(stream) as (...args: unknown[]) => boolean;
  let gathers = false;
  stream.write = (...args: unknown[]) => {
    if (!gathers) {
      gathers = true;
      stream.cork();
      setImmediate(() => {
        gathers = false;
        stream.uncork();
      });
    }
    return write(...args);
  };
}

function parse(url: string): { place: string; secrets: string[] } {
  const wrong = (why: string) =>
    new UsageError(
      `${printable(url.replace(/\/\/[^/@]*@/, "//"))} is not the address of a Redis: ${why}.`,
      "For example redis://localhost:6379, or rediss://:PASSWORD@host:6380 for TLS.",
    );
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    throw wrong("it is not a URL");
  }
  if (parsed.protocol !== "redis:" && parsed.protocol !== "rediss:")
    throw wrong("it must begin with redis:// or rediss://");
  if (parsed.hostname === "") throw wrong("it names no host");
  const secrets = [...secretsOf({ ADDRESS: url }), parsed.password, decodeURIComponent(parsed.password)].filter(
    (secret) => secret !== "",
  );
  return { place: `${parsed.protocol}//${parsed.hostname}:${parsed.port === "" ? "6379" : parsed.port}`, secrets };
}

/** The first connection must succeed soon; otherwise throws with the reason. */
async function reach(redis: Redis, place: string): Promise<void> {
  let last: Error | undefined;
  redis.on("error", (error) => {
    last = error;
  });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(last ?? new Error("no answer within 10 s")), PATIENCE_MS);
  });
  try {
    // Waits for the connection; a server that refuses the password does so here.
    await Promise.race([redis.ping(), late]);
  } catch (error) {
    redis.disconnect();
    const { message } = error as Error;
    const auth = /NOAUTH|WRONGPASS|AUTH|NOPERM/.test(message);
    throw new UsageError(
      `${place} cannot be used: ${printable(message.split("\n")[0] ?? "").replace(/\.$/, "")}.`,
      auth
        ? "Put the user and the password into the address: redis://USER:PASSWORD@HOST."
        : `Is it started, and reachable from here${place.startsWith("rediss:") ? ", and does it speak TLS there" : ""}? redis-cli -u URL ping answers PONG.`,
    );
  } finally {
    clearTimeout(timer);
  }
}

/** Loads the package from Proctor's installation or from the project that uses it. */
async function load<Module>(name: string): Promise<Module> {
  try {
    return (await import(name)) as Module;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
  }
  try {
    const path = createRequire(join(process.cwd(), "package.json")).resolve(name);
    const module = (await import(pathToFileURL(path).href)) as Module & { default?: Module };
    return module.default ?? module;
  } catch {
    throw new UsageError(
      "Workers need two packages that are not installed.",
      "Install them with: npm install bullmq ioredis",
    );
  }
}

/** Redis's reason for refusing one of these commands; undefined if it took them all. */
export function refusalIn(answers: readonly [error: Error | null, result: unknown][] | null): string | undefined {
  const [error] = answers?.find(([fault]) => fault !== null) ?? [];
  return error?.message.split("\n")[0]?.replace(/\.$/, "");
}
