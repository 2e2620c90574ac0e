import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { keys } from "../../src/fleet/wire/messages.ts";
import { isHere } from "../tools.ts";
import { FleetWorld } from "./world/fleet-world.ts";
import { Processes, until } from "./world/processes.ts";

/** What the image runs, without the image. */
describe.runIf(isHere("redis"))("deploy/worker.sh", () => {
  let processes: Processes;
  let world: FleetWorld;
  beforeAll(async () => {
    processes = await Processes.build();
    world = await FleetWorld.open();
    mkdirSync(join(world.dir, "bin"));
    writeFileSync(
      join(world.dir, "bin", "proctor"),
      `#!/bin/sh\nexec "${process.execPath}" "${processes.command}" "$@"\n`,
    );
    chmodSync(join(world.dir, "bin", "proctor"), 0o755);
  });
  afterAll(async () => {
    await world.close();
    processes.remove();
  });

  const start = (env: Record<string, string>) => {
    const child = spawn(resolve("deploy/worker.sh"), [], {
      env: { ...world.env, PATH: `${join(world.dir, "bin")}:${process.env["PATH"]}`, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let out = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (data) => {
        out += data;
      });
    return { child, out: () => out, code: new Promise<number | null>((done) => child.on("close", done)) };
  };

  test("three of them make a run's trials, tell an autoscaler how many it could use, and end gently", async () => {
    world.skill(
      "alpha",
      Array.from({ length: 60 }, (_, n) => ({ query: `Question ${n}`, should_trigger: false })),
    );
    world.script({ latency: 150, default: { skills: [] } });
    const names = ["a", "b", "c"].map((letter) => `${hostname()}-${letter}`);
    const workers = names.map((name) =>
      start({ PROCTOR_WORKERS: world.redis.url, PROCTOR_JOBS: "2", PROCTOR_WORKER_NAME: name }),
    );
    await until("all are there", () => workers.every(({ out }) => out().includes("2 trials at once")));
    const client = world.client();
    let most = 0;
    const looking = setInterval(async () => {
      most = Math.max(most, await client.llen(keys.wanted));
    }, 50);
    const sat = await world.onWorkers({ runs: 1 });
    clearInterval(looking);
    expect(sat.trials).toHaveLength(60);
    expect(new Set(sat.trials.map(({ attempts }) => attempts[0]?.worker))).toEqual(new Set(names));
    // Six slots, and one more that waits for a worker.
    expect(most).toBeGreaterThan(6);
    expect(await client.llen(keys.wanted)).toBe(0);
    for (const { child } of workers) child.kill("SIGTERM");
    expect(await Promise.all(workers.map(({ code }) => code))).toEqual([0, 0, 0]);
  });

  test("says what it lacks", async () => {
    const { code, out } = start({ PROCTOR_WORKERS: "" });
    expect(await code).not.toBe(0);
    expect(out()).toContain("PROCTOR_WORKERS: the address of the Redis");
  });
});
