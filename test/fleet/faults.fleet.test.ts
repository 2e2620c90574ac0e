import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { openRecord } from "../../src/exam/record/index.ts";
import { keys } from "../../src/fleet/wire/messages.ts";
import { isHere } from "../tools.ts";
import { readSat } from "../world.ts";
import { type Running, until } from "./world/processes.ts";
import { test } from "./world/scene.ts";
import { Wire } from "./world/wire.ts";

describe.runIf(isHere("redis")).concurrent("whatever fails, nothing is lost and nothing is counted twice", () => {
  test("a worker killed in the middle of its trials", async ({ scene }) => {
    const { world, processes, underWay, whole } = await scene({ questions: 30, latency: 400 });
    const first = processes.worker(world, "first");
    const run = processes.run(world);
    await underWay(3);
    first.process.kill("SIGKILL");
    processes.worker(world, "second");
    expect((await run.ended).code).toBe(0);
    const sat = await whole(30);
    expect(new Set(sat.trials.map(({ attempts }) => attempts[0]?.worker))).toEqual(new Set(["first", "second"]));
  });

  test("a worker that stands still for longer than its lease, and comes back with its results", async ({ scene }) => {
    const { world, processes, underWay, whole } = await scene({ questions: 24, latency: 300 });
    const frozen = processes.worker(world, "frozen");
    const run = processes.run(world);
    await underWay(3);
    processes.worker(world, "other");
    frozen.process.kill("SIGSTOP");
    await underWay(12);
    await new Promise((resolve) => setTimeout(resolve, 4_000));
    frozen.process.kill("SIGCONT");
    expect((await run.ended).code).toBe(0);
    await whole(24);
  });

  test("a slow worker keeps its trials as long as it says that it is there", async ({ scene }) => {
    const { world, processes, whole } = await scene({ questions: 2, latency: 6_000 });
    const slow = processes.fragile(world, "slow");
    const run = processes.run(world);
    expect((await run.ended).code).toBe(0);
    await whole(2);
    // Each was begun once, although it took three leases.
    expect(slow.out().split("started").length - 1).toBe(2);
  });

  test("the network is cut between a worker and Redis, and mended", async ({ scene }) => {
    const { world, processes, underWay, whole } = await scene({ questions: 24, latency: 300 });
    const proxy = await Wire.start(world.redis.port);
    const cut = processes.worker(world, "cut", { url: proxy.url });
    const run = processes.run(world);
    await underWay(3);
    proxy.cut();
    await until("the worker says so", () => cut.out().includes("does not answer"));
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    proxy.mend();
    expect((await run.ended).code).toBe(0);
    await whole(24);
    proxy.close();
  });

  test.for(["a worker", "the run"] as const)(
    "connections of %s are lost without a word, and made anew",
    async (whose, { scene }) => {
      const { world, processes, underWay, whole } = await scene({ questions: 20, latency: 300 });
      const proxy = await Wire.start(world.redis.port);
      const isRun = whose === "the run";
      const worker = processes.worker(world, "one", isRun ? {} : { url: proxy.url });
      const run = processes.run(world, isRun ? ["--workers", proxy.url] : []);
      await underWay(3);
      proxy.lose();
      const { code, stderr } = await run.ended;
      expect(isRun ? stderr : worker.out()).toContain("answers again");
      expect(code).toBe(0);
      await whole(20);
      proxy.close();
    },
  );

  test("Redis is full for a while: it is told, and what was measured meanwhile is sent later", async ({ scene }) => {
    const { world, processes, underWay, whole } = await scene({ questions: 20, latency: 500 });
    const worker = processes.worker(world, "one");
    const run = processes.run(world);
    await underWay(3);
    const client = world.client();
    await client.config("SET", "maxmemory", "1");
    await until("both say so", () =>
      [run, worker].every((one) => one.out().includes("refuses what it is sent, and is tried again: OOM")),
    );
    await client.config("SET", "maxmemory", "0");
    const { code, stderr } = await run.ended;
    expect(stderr).toContain("takes what it is sent again.");
    expect(code).toBe(0);
    await whole(20);
  });

  test("Redis loses which jobs wait, and keeps the jobs themselves", async ({ scene }) => {
    const { world, processes, underWay, whole } = await scene({ questions: 12, latency: 500 });
    processes.worker(world, "one", { jobs: 1 });
    const run = processes.run(world);
    await underWay(2);
    const client = world.client();
    let lost = 0;
    await until("a job that waits is lost", async () => {
      const [run = ""] = await client.smembers(keys.runs);
      const { prefix, name } = keys.queues(run);
      lost += await client.del(`${prefix}:${name(0)}:wait`);
      return lost > 0;
    });
    expect((await run.ended).code).toBe(0);
    await whole(12);
  });

  test.for([
    { how: "with what it wrote to its disk", persistent: true },
    { how: "with nothing", persistent: false },
  ])("Redis is killed, and comes back $how", async ({ persistent }, { scene }) => {
    const { world, processes, underWay, whole } = await scene({ questions: 40, latency: 300, redis: { persistent } });
    for (const name of ["one", "two"]) processes.worker(world, name);
    const run = processes.run(world);
    await underWay(5);
    await world.redis.down();
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    await world.redis.up();
    const { code, stderr } = await run.ended;
    expect(stderr).toContain("does not answer; trying again. What was measured is in the record.");
    expect(code).toBe(0);
    await whole(40);
  });

  test("the run itself is killed, and resumed: the workers drop what they had for it", async ({ scene }) => {
    const { world, processes, recorded, underWay, whole } = await scene({ questions: 40, latency: 300 });
    const worker = processes.worker(world, "one");
    const killed = processes.run(world);
    await underWay(5);
    killed.process.kill("SIGKILL");
    await killed.ended;
    const before = recorded();
    const resumed = processes.run(world, ["--resume"]);
    const { code, stderr } = await resumed.ended;
    expect(stderr).toContain(`${before} trials are in the record`);
    expect(code).toBe(0);
    await whole(40);
    await until("the worker has left both runs", () => worker.out().split("is over").length === 3);
  });

  test("a trial that kills every worker is given up after three, as an error of its own kind", async ({ scene }) => {
    const { world, processes } = await scene({ questions: 8, latency: 50 });
    world.skill("beta", [{ query: "The poison question", should_trigger: false }]);
    let deaths = 0;
    const keepOne = async () => {
      while (!over) {
        const { signal } = await processes.fragile(world, "fragile").ended;
        if (signal === "SIGKILL") deaths++;
      }
    };
    let over = false;
    const run = processes.run(world);
    const keeping = keepOne();
    const { code } = await run.ended;
    over = true;
    await processes.killAll();
    await keeping;
    const sat = await readSat(await openRecord(world.dir));
    expect(sat.trials).toHaveLength(9);
    const errors = sat.trials.flatMap(({ error }) => error ?? []);
    expect(errors).toEqual([
      { reason: "lost_workers", message: expect.stringContaining("Three workers ended"), retryable: false },
    ]);
    // It is no measurement: the negative that "did not fire" has no verdict.
    expect(sat.scores.targets[0]?.questions.find(({ prompt }) => prompt.includes("poison"))?.verdict).toBe(
      "inconclusive",
    );
    expect(code).toBe(3);
    expect(deaths).toBeGreaterThanOrEqual(3);
  });

  test("a trial that was only there when three workers ended, as others did without it, is made all the same", async ({
    scene,
  }) => {
    const { world, processes, whole } = await scene({ questions: 1, latency: 3_000 });
    const start = (name: string) => processes.fragile(world, name, { jobs: 1 });
    const workers = ["one", "two", "three", "four"].map(start);
    const run = processes.run(world);
    const killHolder = async () => {
      const holder = () => workers.find((worker) => worker.out().includes("started"));
      await until("a worker has begun", () => holder() !== undefined);
      holder()?.process.kill("SIGKILL");
      return workers.filter((worker) => worker !== holder());
    };
    await until("all take part", () => workers.every((worker) => worker.takesPart()));
    // Two that have nothing in hand end, and three that have it.
    const [one, two, last] = await killHolder();
    for (const idle of [one, two]) idle?.process.kill("SIGKILL");
    workers.splice(0, 4, last!, start("five"));
    workers.splice(0, 2, ...(await killHolder()), start("six"));
    await killHolder();
    expect((await run.ended).code).toBe(0);
    await whole(1);
  });

  test("a trial whose workers were only silent for longer than their leases, three times, is made all the same", async ({
    scene,
  }) => {
    const { world, processes, whole } = await scene({ questions: 1, latency: 30_000 });
    const workers = ["one", "two", "three", "four"].map((name) => processes.fragile(world, name, { jobs: 1 }));
    await until("all are there", async () => (await processes.doctor(world)).stdout.includes("4 workers"));
    const run = processes.run(world);
    const silent = new Set<Running>();
    const begun = () => workers.filter((worker) => worker.out().includes("started"));
    for (const holders of [1, 2, 3]) {
      await until(`${holders} have begun it`, () => begun().length === holders);
      for (const worker of begun()) worker.process.kill("SIGCONT");
      const holder = begun().find((worker) => !silent.has(worker))!;
      silent.add(holder);
      holder.process.kill("SIGSTOP");
    }
    expect((await run.ended).code).toBe(0);
    await whole(1);
  });

  test("clocks that differ by a day either way change nothing", async ({ scene }) => {
    const { world, processes, whole } = await scene({ questions: 20, latency: 200 });
    for (const [name, days] of [
      ["tomorrow", 1],
      ["yesterday", -1],
    ] as const) {
      const file = join(world.dir, `${name}.mjs`);
      writeFileSync(
        file,
        `const now = Date.now; const shift = ${days} * 86400e3; const D = Date;\nglobalThis.Date = class extends D { constructor(...a) { super(...(a.length ? a : [now() + shift])); } static now() { return now() + shift; } };\n`,
      );
      processes.worker(world, name, { node: `--import ${file}` });
    }
    const run = processes.run(world);
    expect((await run.ended).code).toBe(0);
    const sat = await whole(20);
    expect(new Set(sat.trials.map(({ attempts }) => attempts[0]?.worker)).size).toBe(2);
  });

  test("a worker that is told to end finishes its trials; told twice, it gives them back at once", async ({
    scene,
  }) => {
    const { world, processes, underWay, whole } = await scene({ questions: 12, latency: 1_000 });
    const first = processes.worker(world, "first");
    const run = processes.run(world);
    await underWay(2);
    first.process.kill("SIGTERM");
    const ended = await first.ended;
    expect(ended.code).toBe(0);
    expect(ended.stdout).toMatch(/Worker ended after \d+ trials/);
    const second = processes.worker(world, "second");
    await underWay(6);
    second.process.kill("SIGTERM");
    second.process.kill("SIGINT");
    await second.ended;
    const drained = processes.worker(world, "third", { args: ["--drain"] });
    expect((await run.ended).code).toBe(0);
    await whole(12);
    expect((await drained.ended).code).toBe(0);
  });

  test("Ctrl-C on the run: workers finish what they have begun, and it says how to go on", async ({ scene }) => {
    const { world, processes, recorded, underWay, whole } = await scene({ questions: 20, latency: 300 });
    processes.worker(world, "one");
    const run = processes.run(world);
    await underWay(3);
    run.process.kill("SIGINT");
    const { code, stderr } = await run.ended;
    expect(code).toBe(130);
    expect(stderr).toMatch(/To continue: proctor run --resume \S+ --workers redis:\/\/127\.0\.0\.1:\d+$/m);
    expect(recorded()).toBeLessThan(20);
    expect((await processes.run(world, ["--resume"]).ended).code).toBe(0);
    await whole(20);
  });

  test("when the last worker goes for good, what is left is an error of its own kind, and the run ends", async ({
    scene,
  }) => {
    const { world, processes, underWay } = await scene({ questions: 30, latency: 400 });
    const only = processes.worker(world, "only");
    await until("the worker is there", () => only.out().includes("at once"));
    const run = processes.run(world, ["--workers-wait", "6"]);
    await underWay(3);
    only.process.kill("SIGKILL");
    const { code, stderr } = await run.ended;
    expect(stderr).toContain("No worker is left that can run script:answers.yaml; waiting 6 s for one.");
    expect(code).toBe(3);
    const sat = await readSat(await openRecord(world.dir));
    expect(new Set(sat.trials.flatMap(({ error }) => error?.reason ?? []))).toEqual(new Set(["no_worker"]));
    // Asked again when somebody is there.
    processes.worker(world, "new");
    expect((await processes.run(world, ["--resume"]).ended).code).toBe(0);
    const again = await readSat(await openRecord(world.dir));
    expect(again.scores.targets[0]?.questions.every(({ verdict }) => verdict === "pass")).toBe(true);
  });
});
