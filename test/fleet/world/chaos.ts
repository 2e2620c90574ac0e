import { openRecord } from "../../../src/exam/record/index.ts";
import { essence, readSat } from "../../world.ts";
import type { FleetWorld } from "./fleet-world.ts";
import { type Processes, until } from "./processes.ts";
import { recordedTrials } from "./recorded-trials.ts";

/** What is left of an exam after everything around it was killed. */
export interface AfterChaos {
  /** In the record, and how many different ones these are. */
  trials: number;
  distinct: number;
  errors: number;
  /** Workers that were killed. */
  kills: number;
  seconds: number;
  /** Scored as a quiet run on this machine is. */
  same: boolean;
}

const PATIENCE_MS = 900_000;

/** The world's exam while a worker is killed every second and restarted, Redis restarts twice, and the run is killed and resumed once. */
export async function chaos(world: FleetWorld, processes: Processes, trials: number, workers = 5): Promise<AfterChaos> {
  let over = false;
  let kills = 0;
  const start = (name: string) => processes.worker(world, name, { jobs: 4 });
  const all = Array.from({ length: workers }, (_, n) => ({ name: `w${n + 1}`, running: start(`w${n + 1}`) }));
  const killing = (async () => {
    while (!over) {
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      // On a busy machine one may take seconds to start: the oldest that has begun is killed.
      const worker = all.find(({ running }) => running.takesPart());
      if (worker === undefined || over) continue;
      all.push(...all.splice(all.indexOf(worker), 1));
      worker.running.process.kill("SIGKILL");
      kills++;
      worker.running = start(worker.name);
    }
  })();
  const recorded = (share: number) =>
    until(
      `${share * 100} % of the trials are in the record`,
      () => over || recordedTrials(world) >= trials * share,
      PATIENCE_MS,
    );
  const restartRedis = async () => {
    await world.redis.down();
    await new Promise((resolve) => setTimeout(resolve, 500));
    await world.redis.up();
  };
  const began = performance.now();
  try {
    const first = processes.run(world);
    await recorded(0.15);
    await restartRedis();
    await recorded(0.4);
    first.process.kill("SIGKILL");
    await first.ended;
    const second = processes.run(world, ["--resume"]);
    await recorded(0.7);
    await restartRedis();
    await second.ended;
  } finally {
    over = true;
    await killing;
    await processes.killAll();
  }
  const seconds = (performance.now() - began) / 1000;
  const sat = await readSat(await openRecord(world.dir));
  world.exam(trials, 0);
  return {
    trials: sat.trials.length,
    distinct: new Set(sat.trials.map(({ ask, run }) => `${ask} ${run}`)).size,
    errors: sat.trials.filter(({ error }) => error !== undefined).length,
    kills,
    seconds,
    same: JSON.stringify(essence(sat)) === JSON.stringify(essence(await world.here())),
  };
}
