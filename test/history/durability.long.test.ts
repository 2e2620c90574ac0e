import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listRuns, openRecord } from "../../src/exam/record/index.ts";
import { type Built, build } from "../cli/run-built.ts";
import { essence, readSat, World } from "../world.ts";

const CHAINS = 4;
const KILLS_PER_CHAIN = 25;
const JOBS = 4;

let built: Built;
beforeAll(async () => {
  built = await build(fileURLToPath(new URL("./durability-child.ts", import.meta.url)));
});
afterAll(() => built.remove());

test(`killed at ${CHAINS * KILLS_PER_CHAIN} random moments and resumed, a run loses nothing, asks nothing twice and comes to the same scores`, async () => {
  const whole = makeWorld();
  const calibration = performance.now();
  await run(whole, "start");
  const lifetime = performance.now() - calibration;
  const expected = await readSat(await openRecord(whole.dir));
  whole.remove();

  await Promise.all(
    Array.from({ length: CHAINS }, async (_, chain) => {
      const world = makeWorld();
      try {
        await killAgainAndAgain(world, lifetime, random(chain + 1));
        await run(world, "resume");
        const resumed = await readSat(await openRecord(world.dir));
        expect(essence(resumed)).toEqual(essence(expected));
        expect(resumed.scores.run.how).toBe("complete");
        const keys = resumed.trials.map(({ ask, run: number }) => `${ask} ${number}`);
        expect(new Set(keys).size).toBe(keys.length);
        const asked = logged(world, "asked.log");
        expect(new Set(asked)).toEqual(new Set(keys));
        expect(asked.length).toBeGreaterThan(keys.length);
        // In flight at a kill: so many being asked, and at most as many being written.
        expect(asked.length - keys.length).toBeLessThanOrEqual(KILLS_PER_CHAIN * JOBS * 2);
      } finally {
        world.remove();
      }
    }),
  );
}, 300_000);

/** After every kill: what counted is in the record, and what was in the record still is. */
async function killAgainAndAgain(world: World, lifetime: number, next: () => number): Promise<void> {
  let before = new Set<string>();
  for (let kill = 0; kill < KILLS_PER_CHAIN; kill++) {
    const { child, ended } = start(world, kill === 0 ? "start" : "resume");
    let timer: NodeJS.Timeout | undefined;
    const killWithin = (ms: number) => {
      timer = setTimeout(() => child.kill("SIGKILL"), next() * ms);
    };
    // Every fifth at any moment of its life, the others while trials are under way.
    if (kill % 5 === 0) killWithin(lifetime);
    else child.stdout!.once("data", () => killWithin(60));
    await ended;
    clearTimeout(timer);
    const after = await trialsIn(world);
    for (const key of before) expect(after).toContain(key);
    for (const key of logged(world, "counted.log")) expect(after).toContain(key);
    before = after;
  }
}

async function trialsIn(world: World): Promise<Set<string>> {
  if ((await listRuns(world.dir)).length === 0) return new Set();
  const place = await openRecord(world.dir);
  if (!existsSync(place.file) || !readFileSync(place.file, "utf8").includes("\n")) return new Set();
  return new Set((await readSat(place)).trials.map(({ ask, run: number }) => `${ask} ${number}`));
}

function makeWorld(): World {
  const world = new World();
  for (const name of ["alpha", "beta"]) {
    world.skill(
      name,
      Array.from({ length: 80 }, (_, index) => ({ query: `${name} ${index}`, should_trigger: index % 2 === 0 })),
    );
  }
  const answers = ["alpha", "beta"].map((name) => ({
    pattern: `^${name}`,
    skills: [name],
    hit_rate: 0.6,
    latency: [2, 12],
  }));
  world.script({ answers });
  return world;
}

function start(world: World, mode: string): { child: ChildProcess; ended: Promise<void> } {
  const child = spawn(process.execPath, [built.main, world.dir, mode], {
    env: { PATH: process.env["PATH"] ?? "" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let errors = "";
  child.stderr.on("data", (data) => {
    errors += data;
  });
  const ended = new Promise<void>((resolve, reject) => {
    child.on("close", (code, signal) => {
      // Killed while it wrote the header: there is nothing to resume, and it says so.
      const nothingThere = /has no header|There is no run/.test(errors);
      if (code === 0 || signal === "SIGKILL" || nothingThere) resolve();
      else reject(new Error(errors));
    });
  });
  return { child, ended };
}

async function run(world: World, mode: string): Promise<void> {
  await start(world, mode).ended;
}

function logged(world: World, name: string): string[] {
  const file = join(world.dir, name);
  return existsSync(file) ? readFileSync(file, "utf8").split("\n").filter(Boolean) : [];
}

/** Mulberry32: the moments differ from chain to chain and are the same in every run of the test. */
function random(seed: number): () => number {
  let state = seed * 0x9e3779b9;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
