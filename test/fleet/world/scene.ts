import { test as base, expect } from "vitest";
import { openRecord } from "../../../src/exam/record/index.ts";
import { essence, readSat, type Sat } from "../../world.ts";
import { FleetWorld } from "./fleet-world.ts";
import { Processes, until } from "./processes.ts";
import { recordedTrials } from "./recorded-trials.ts";
import type { RedisOptions } from "./redis.ts";

/** A world with a Redis and processes of its own. */
export interface Scene {
  world: FleetWorld;
  processes: Processes;
  /** How many trials are in the record so far. */
  recorded(): number;
  /** Waits until so many trials are in the record. */
  underWay(trials: number): Promise<void>;
  /** Expects everything in the record exactly once, without an error, and scored as a quiet run on this machine would be. */
  whole(questions: number): Promise<Sat>;
}

interface SceneOptions {
  questions?: number;
  /** Of a trial, in milliseconds. */
  latency?: number;
  redis?: RedisOptions;
}

/** Tests with scenes, which are all cleared away afterwards; they can run side by side. */
export const test = base.extend<{ scene(options?: SceneOptions): Promise<Scene> }>({
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the pattern
  scene: async ({}, use) => {
    const scenes: Scene[] = [];
    await use(async (options) => {
      const scene = await openScene(options);
      scenes.push(scene);
      return scene;
    });
    for (const { processes, world } of scenes) {
      await processes.killAll();
      await world.close();
      processes.remove();
    }
  },
});

async function openScene({ questions = 0, latency = 0, redis }: SceneOptions = {}): Promise<Scene> {
  const [processes, world] = await Promise.all([Processes.build(), FleetWorld.open(redis)]);
  world.env["PROCTOR_FLEET_LEASE"] = "2";
  if (questions > 0) world.exam(questions, latency);
  return {
    world,
    processes,
    recorded: () => recordedTrials(world),
    underWay: (trials) => until(`${trials} trials are in the record`, () => recordedTrials(world) >= trials),
    async whole(expected) {
      const sat = await readSat(await openRecord(world.dir));
      expect(new Set(sat.trials.map(({ ask }) => ask)).size).toBe(expected);
      expect(sat.trials).toHaveLength(expected);
      expect(sat.trials.filter(({ error }) => error !== undefined)).toEqual([]);
      expect(sat.lines.at(-1)).toMatchObject({ type: "footer", how: "complete" });
      expect(essence(sat)).toEqual(essence(await world.here()));
      return sat;
    },
  };
}
