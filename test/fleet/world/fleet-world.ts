import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { openRecord } from "../../../src/exam/record/index.ts";
import type { WorkerEvent } from "../../../src/fleet/index.ts";
import type { WorkerOptions } from "../../../src/verbs/asking/worker.ts";
import { type RunOptions, type RunResult, run, worker } from "../../../src/verbs/index.ts";
import { readSat, type Sat, World } from "../../world.ts";
import { TestRedis } from "./redis.ts";

export const KEY = "a key that all of the fleet share";

/** A world, a Redis, and workers in this process. */
export class FleetWorld extends World {
  readonly notices: string[] = [];
  readonly events: WorkerEvent[] = [];
  readonly home = mkdtempSync(join(tmpdir(), "proctor-home-"));
  redis!: TestRedis;
  readonly #ending: (() => Promise<void>)[] = [];

  static async open(options?: Parameters<typeof TestRedis.start>[0]): Promise<FleetWorld> {
    const world = new FleetWorld();
    world.env = { PROCTOR_FLEET_KEY: KEY, HOME: world.home, PATH: process.env["PATH"] ?? "" };
    world.redis = await TestRedis.start(options);
    return world;
  }

  /** Questions of a skill for every 500, half of which are to trigger it; the first skill's are answered right. */
  exam(questions: number, latency: number): void {
    for (let skill = 0; skill * 500 < questions; skill++)
      this.skill(
        `skill-${skill}`,
        Array.from({ length: Math.min(500, questions - skill * 500) }, (_, n) => ({
          query: `Question ${n} for ${skill}`,
          should_trigger: n % 2 === 0,
        })),
      );
    this.script({
      latency,
      deterministic: true,
      answers: [{ pattern: "[02468] for 0$", skills: ["skill-0"] }],
      default: { skills: [] },
    });
  }

  /** What the fleet has in Redis, for looking and for meddling. */
  client(): Redis {
    const client = new Redis(this.redis.url);
    this.#ending.push(async () => client.disconnect());
    return client;
  }

  /** Starts a worker in this process; returns what ends it. */
  worker(options: Partial<WorkerOptions> = {}): { end(): Promise<void> } {
    const ending = new AbortController();
    const made = worker({
      url: this.redis.url,
      env: this.env,
      jobs: 4,
      signal: ending.signal,
      ...options,
      on: (event) => {
        if (event.type === "notice") this.notices.push(event.text);
        this.events.push(event);
        options.on?.(event);
      },
    });
    const end = async () => {
      ending.abort();
      await made;
    };
    this.#ending.push(end);
    return { end };
  }

  async here(options: RunOptions = {}): Promise<Sat> {
    return this.#sit(options);
  }

  async onWorkers(options: RunOptions = {}): Promise<Sat> {
    return this.#sit({ workers: this.redis.url, ...options });
  }

  async #sit(options: RunOptions): Promise<Sat> {
    const [result] = (await run({
      cwd: this.dir,
      env: this.env,
      targets: ["script:answers.yaml"],
      cache: false,
      ...options,
      on: (event) => {
        if (event.type === "notice") this.notices.push(event.text);
        options.on?.(event);
      },
    })) as [RunResult];
    return readSat(await openRecord(this.dir, result.record.run));
  }

  async close(): Promise<void> {
    for (const end of this.#ending.reverse()) await end();
    await this.redis.remove();
    this.remove();
    rmSync(this.home, { recursive: true, force: true });
  }
}

/** A trial's line without what differs from time to time, and from machine to machine. */
export function comparable({ trials }: Sat): unknown[] {
  const lines = trials.map(({ startedAt: _, ms: __, transcript: ___, raw: ____, attempts, ...line }) => ({
    ...line,
    attempts: attempts.map(({ ms: _____, worker: ______, ...attempt }) => attempt),
  }));
  return lines.sort((a, b) => (`${a.ask} ${a.run}` < `${b.ask} ${b.run}` ? -1 : 1));
}

/** Hears every command that reaches Redis. */
export async function monitored(world: FleetWorld, hear: (args: string[]) => void): Promise<Redis> {
  const client = world.client();
  await client.ping();
  const monitor = await client.monitor();
  monitor.on("error", () => {});
  monitor.on("monitor", (_time: string, args: string[]) => hear(args));
  return monitor;
}
