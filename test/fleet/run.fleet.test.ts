import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { VERSION } from "../../src/base/index.ts";
import type { WorkerProgress } from "../../src/exam/grade/index.ts";
import type { WorkerEvent } from "../../src/fleet/index.ts";
import { type Hello, keys } from "../../src/fleet/wire/messages.ts";
import { createSigner } from "../../src/fleet/wire/signature.ts";
import { fleet, worker } from "../../src/verbs/index.ts";
import { environmentOf, replyOf, startRawModel } from "../targets/models/raw-model.ts";
import { isHere } from "../tools.ts";
import { essence } from "../world.ts";
import { KEY, monitored } from "./world/fleet-world.ts";
import { until } from "./world/processes.ts";
import { test } from "./world/small-exam.ts";

describe.runIf(isHere("redis"))("a run on workers", () => {
  test("leaves nothing in Redis but the word that it is over", async ({ world }) => {
    world.worker();
    const client = world.client();
    await world.onWorkers();
    const left = (await client.keys("proctor:*")).filter((key) => !key.startsWith("proctor:worker"));
    expect(left.filter((key) => !/:run$|^proctor:bundle:|^proctor:record:/.test(key))).toEqual([]);
    for (const key of left) expect(await client.pttl(key), key).toBeGreaterThan(0);
  });

  test("keeps early stop, the number of trials and the cache to itself", async ({ world }) => {
    world.worker();
    const stopped = await world.onWorkers({ maxTrials: 5 });
    expect(stopped.trials).toHaveLength(5);
    const first = await world.onWorkers({ cache: true, only: "triggers" });
    const again = await world.onWorkers({ cache: true, only: "triggers" });
    expect(first.trials.every(({ cached }) => cached === undefined)).toBe(true);
    const measured = again.trials.filter(({ error }) => error === undefined);
    expect(measured.length).toBeGreaterThan(20);
    expect(measured.every(({ cached }) => cached !== undefined)).toBe(true);
    expect(essence(again)).toEqual(essence(first));
  });

  test("an embedded target is asked here, beside a target on workers", async ({ world }) => {
    world.worker({ name: "one" });
    const sat = await world.onWorkers({ targets: ["embedded", "script:answers.yaml"] });
    const workers = new Map(sat.trials.map(({ target, attempts }) => [target, attempts[0]?.worker]));
    expect(workers).toEqual(
      new Map([
        ["embedded", undefined],
        ["script:answers.yaml", "one"],
      ]),
    );
  });

  test("Ctrl-C takes back what no worker has begun, and --resume goes on", async ({ world }) => {
    world.script({ latency: 300, default: { skills: ["alpha"] } });
    world.worker({ jobs: 2 });
    const finish = new AbortController();
    let started = 0;
    const cut = await world.onWorkers({
      signal: finish.signal,
      on: (event) => {
        if (event.type === "trial" && ++started === 2) finish.abort();
      },
    });
    expect(cut.lines.at(-1)).toMatchObject({ type: "footer", how: "interrupted" });
    expect(cut.trials.length).toBeLessThan(8);
    const whole = await world.onWorkers({ resume: cut.header.run });
    world.script({ default: { skills: ["alpha"] } }, "quick.yaml");
    expect(new Set(whole.trials.map(({ ask, run }) => `${ask} ${run}`)).size).toBe(whole.trials.length);
    expect(whole.lines.at(-1)).toMatchObject({ type: "footer", how: "complete" });
  });

  test("what a worker took ahead while trials were short goes back when they are long, and Ctrl-C takes it back", async ({
    world,
  }) => {
    const quick = 40;
    const long = 6;
    world.skill(
      "alpha",
      Array.from({ length: quick + long }, (_, n) => ({
        query: n < quick ? `Quick ${n}` : `Long ${n}`,
        should_trigger: false,
      })),
    );
    world.script({
      answers: [{ pattern: "^Long", skills: [], latency: 3_600_000 }],
      default: { skills: [], latency: 5 },
    });
    const begun: string[] = [];
    const [finish, stop] = [new AbortController(), new AbortController()];
    const worker = world.worker({
      jobs: 2,
      on: (event) => {
        if (event.type !== "started" || !event.prompt.startsWith("Long")) return;
        if (begun.push(event.prompt) === 2) finish.abort();
      },
    });
    const client = world.client();
    const running = world.onWorkers({ runs: 1, signal: finish.signal, stop: stop.signal });
    await until("two long ones are under way", () => begun.length === 2);
    const [run = ""] = await client.smembers(keys.runs);
    const { prefix, name } = keys.queues(run);
    const list = (which: string) => client.llen(`${prefix}:${name(0)}:${which}`);
    await until("the worker has in hand what it has begun, and nothing else", async () => (await list("active")) === 2);
    await until("the run has taken back what is not begun", async () => (await list("wait")) === 0);
    // One that was told to end hears all the same that its run is over.
    const ended = worker.end();
    stop.abort();
    const { trials, lines } = await running;
    await ended;
    // All quick ones, and beta's.
    expect(trials).toHaveLength(quick + 1);
    expect(begun).toHaveLength(2);
    expect(lines.at(-1)).toMatchObject({ type: "footer", how: "interrupted" });
  });

  test("after Ctrl-C, the run does not wait for what a worker gives back", async ({ world }) => {
    world.script({ latency: 3_600_000, default: { skills: [] } });
    const [finish, dropped] = [new AbortController(), new AbortController()];
    let begun = 0;
    world.worker({
      jobs: 2,
      stop: dropped.signal,
      on: (event) => {
        if (event.type === "started" && ++begun === 2) finish.abort();
      },
    });
    const running = world.onWorkers({ runs: 1, signal: finish.signal });
    await until("the worker has begun", () => begun === 2);
    dropped.abort();
    const { trials, lines } = await running;
    expect(trials).toHaveLength(0);
    expect(lines.at(-1)).toMatchObject({ type: "footer", how: "interrupted" });
  });

  test.for([
    ["--jobs of the run is about its own machine: workers make as many as they offer", undefined, 4],
    ["a target's concurrency holds for all workers together", 2, 2],
  ] as const)("%s", async ([, concurrency, expected], { world }) => {
    world.write("proctor.config.json", { targets: [{ target: "script:answers.yaml", concurrency }] });
    world.script({ latency: 100, default: { skills: [] } });
    let running = 0;
    let most = 0;
    const on = ({ type }: WorkerEvent) => {
      if (type === "started") most = Math.max(most, ++running);
      if (type === "ended") running--;
    };
    for (const name of ["one", "two"]) world.worker({ name, jobs: 2, on });
    await world.onWorkers({ targets: undefined, jobs: 1, runs: 2 });
    expect(most).toBe(expected);
  });

  test("as many trials as there are slots are handed out before the first comes back", async ({ world }) => {
    for (const name of ["one", "two"]) world.worker({ name, jobs: 4 });
    await until("both are there", () => world.events.filter(({ type }) => type === "ready").length === 2);
    let started = 0;
    let atFirst = 0;
    await world.onWorkers({
      on: (event) => {
        if (event.type !== "schedule") return;
        if (event.event.type === "started") started++;
        if (event.event.type === "ended") atFirst ||= started;
      },
    });
    expect(atFirst).toBeGreaterThanOrEqual(8);
  });

  test("says what each worker does while it runs", async ({ world }) => {
    world.script({ latency: 3_000, default: { skills: [] } });
    world.worker({ name: "one", jobs: 3 });
    const finish = new AbortController();
    let seen: WorkerProgress | undefined;
    const stop = setInterval(() => {
      if (seen?.oldest !== undefined && seen.running === 3) finish.abort();
    }, 50);
    const { lines } = await world.onWorkers({
      runs: 1,
      signal: finish.signal,
      on: (event) => {
        if (event.type === "progress") seen = event.snapshot.workers?.[0] ?? seen;
      },
    });
    clearInterval(stop);
    expect(lines.at(-1)).toMatchObject({ type: "footer", how: "interrupted" });
    expect(seen).toMatchObject({
      name: "one",
      slots: 3,
      running: 3,
      oldest: {
        target: "script:answers.yaml",
        prompt: expect.stringMatching(/^Question \d+ for alpha$/),
        ms: expect.any(Number),
      },
    });
  });

  test("a worker of another version is refused by name, and the run says so", async ({ world }) => {
    const client = world.client();
    const signer = createSigner(world.env);
    const stranger = { worker: "w9", name: "old-one", protocol: 1, version: "0.0.9" };
    const status = { ...stranger, slots: 4, can: { agents: [], keys: [] }, running: {} };
    await client.set(keys.worker("w9"), signer.sign("status", "", status));
    await client.sadd(keys.workers, "w9");
    const greeting = setInterval(async () => {
      for (const id of await client.smembers(keys.runs)) {
        const hello: Hello = { ...stranger, nonce: "n", revision: 1, slots: 4, targets: {}, judges: {} };
        await client.hset(keys.hellos(id), "w9", signer.sign("hello", id, hello));
      }
    }, 50);
    world.worker({ name: "new-one" });
    await until("the other one is there", () => world.events.some(({ type }) => type === "ready"));
    const sat = await world.onWorkers();
    clearInterval(greeting);
    expect(world.notices.join("\n")).toContain(
      `Worker old-one is refused: it is proctor 0.0.9, and this run is proctor ${VERSION}.`,
    );
    expect(new Set(sat.trials.flatMap(({ attempts }) => attempts.map(({ worker }) => worker)))).toEqual(
      new Set(["new-one"]),
    );
  });

  test("a worker that finds another target under the name takes no part in it", async ({ world }) => {
    world.write("proctor.config.json", { targets: [{ target: "script:answers.yaml", env: { FLAVOUR: "sweet" } }] });
    world.worker({ name: "without" });
    await expect(world.onWorkers({ workersWait: 30, targets: undefined })).rejects.toThrow(
      /No worker can run script:answers.yaml: without: The configuration of the run sets FLAVOUR .* Set FLAVOUR for the worker/,
    );
  });

  test("a worker with --targets takes those alone, and says so", async ({ world }) => {
    world.worker({ name: "picky", targets: ["claude"] });
    await until("it is there", () => world.events.some(({ type }) => type === "ready"));
    await expect(world.onWorkers({ workersWait: 30 })).rejects.toThrow("picky: it takes only claude (--targets)");
  });

  test("a worker that cannot unpack the exam leaves the run, which ends and says why", async ({ world }) => {
    const folder = join(world.home, ".cache", "proctor", "bundles");
    world.worker({
      name: "full",
      on: (event) => {
        if (event.type !== "notice" || !event.text.startsWith("Taking trials")) return;
        rmSync(folder, { recursive: true });
        writeFileSync(folder, "A file is where a folder should be.");
      },
    });
    const { trials } = await world.onWorkers({ workersWait: 10 });
    expect(trials.length).toBeGreaterThan(0);
    for (const { error } of trials)
      expect(error).toMatchObject({
        reason: "no_worker",
        message: expect.stringMatching(/for 10 s \(full: it cannot open the exam: .+\)$/),
      });
  });

  test("a worker is not started for a target that no run asks there", async ({ world }) => {
    await expect(worker({ url: world.redis.url, env: world.env, targets: ["claud"] })).rejects.toThrow(
      "No run asks claud on workers (--targets).",
    );
  });

  test("without a worker the run waits as long as it was told, and says what to start", async ({ world }) => {
    await expect(world.onWorkers({ workersWait: 0.3 })).rejects.toThrow(
      `No worker that could run script:answers.yaml connected to ${world.redis.url} within 0 s.`,
    );
  });

  describe("what passes through Redis", () => {
    test("has no key in it: results are masked on the worker, and keys stay there", async ({ world }) => {
      const secret = "sk-very-secret-4f9d8e7c6b5a";
      world.script({ default: { skills: ["alpha"], text: `I was given ${secret}.` } });
      // What a grader quotes is in the record for good.
      const quoting = { type: "not_matches", config: { value: "given.*" } };
      world.write("skills/alpha/evals/evals.json", { evals: [{ id: "quoted", prompt: "Say it", graders: [quoting] }] });
      const seen: string[] = [];
      const monitor = await monitored(world, (args) => seen.push(args.join(" ")));
      const plain = Buffer.from(secret).toString("base64").slice(0, 16);
      world.worker({ env: { ...world.env, MY_API_KEY: secret } });
      const sat = await world.onWorkers({ runs: 1 });
      monitor.disconnect();
      const all = seen.join("\n");
      expect(all).toContain("[masked]");
      // Only the run's own script, in the bundle, has it: it is compressed there.
      expect(all).not.toContain(secret);
      expect(all).not.toContain(plain);
      expect(all).not.toContain(KEY);
      const record = readFileSync(sat.place.file, "utf8");
      expect(record).toContain("given [masked]");
      expect(record).not.toContain(secret);
    });

    test("has no password in it of an endpoint that a worker has set", async ({ world }) => {
      const seen: string[] = [];
      const monitor = await monitored(world, (args) => seen.push(args.join(" ")));
      const password = "0pen-s3same-4711";
      const server = await startRawModel(() => ({ body: replyOf("ollama", "[]") }));
      const address = (secret: string) => `${server.url.replace("//", `//ada:${secret}@`)}/v1`;
      world.worker({ env: { ...world.env, OLLAMA_BASE_URL: address(password) } });
      const { header } = await world.onWorkers({ targets: ["router:ollama/qwen3"], runs: 1, maxTrials: 1 });
      monitor.disconnect();
      await server.close();
      expect(header.targets[0]?.identity.endpoint).toBe(address("[masked]"));
      expect(seen.join("\n")).toContain("ada:");
      expect(seen.join("\n")).not.toContain(password);
    });

    test("is not trusted without a signature: a forged job is refused, a forged or repeated result is ignored", async ({
      world,
    }) => {
      world.script({ latency: 100, default: { skills: [] } });
      const client = world.client();
      const stranger = createSigner({ PROCTOR_FLEET_KEY: "another key, of somebody else" });
      const seen: string[] = [];
      const monitor = await monitored(world, ([command, key = "", , , value = ""]) => {
        if (command?.toLowerCase() !== "xadd" || !key.endsWith(":results") || seen.includes(value)) return;
        seen.push(value);
        // Every result comes twice, and once from somebody who has no key.
        const [, id = ""] = /\{(.*)\}/.exec(key) ?? [];
        const forged = {
          id: "x-1",
          worker: "w",
          name: "forger",
          result: { transcript: { outcome: { status: "activations", activations: [] } }, checks: [] },
        };
        void client.xadd(key, "*", "result", value, "result", stranger.sign("result", id, forged));
      });
      // The monitor first: ioredis fails where a command comes with the very answer to MONITOR.
      world.worker({ jobs: 2 });
      const forging = setInterval(async () => {
        for (const id of await client.smembers(keys.runs)) {
          const { prefix, name } = keys.queues(id);
          const key = `${prefix}:${name(0)}`;
          await client.hset(`${key}:forged-1`, {
            name: "trial",
            data: JSON.stringify({ signed: stranger.sign("job", id, { id: "forged-1" }) }),
            opts: '{"attempts":1}',
            timestamp: "1",
          });
          await client.lpush(`${key}:wait`, "forged-1");
        }
      }, 200);
      const sat = await world.onWorkers({ runs: 1 });
      clearInterval(forging);
      monitor.disconnect();
      expect(world.notices).toContain("A job is refused: it is not signed with this PROCTOR_FLEET_KEY.");
      expect(seen.length).toBeGreaterThan(3);
      expect(sat.trials).toHaveLength(12);
      expect(new Set(sat.trials.map(({ ask, run }) => `${ask} ${run}`)).size).toBe(12);
      expect(readFileSync(sat.place.file, "utf8")).not.toContain("forger");
    });

    test("of another key is ignored by workers, and told", async ({ world }) => {
      world.worker({ env: { ...world.env, PROCTOR_FLEET_KEY: "the key of another fleet" } });
      await expect(world.onWorkers({ workersWait: 4 })).rejects.toMatchObject({
        message: expect.stringMatching(/^No worker that could run script:answers.yaml connected/),
        hint: "The worker there has a different PROCTOR_FLEET_KEY: set the same one everywhere.",
      });
      expect(world.notices.join("\n")).toContain(`No worker with this PROCTOR_FLEET_KEY is at ${world.redis.url} yet`);
      expect(world.notices.join("\n")).toContain("A run is ignored: it is not signed with this PROCTOR_FLEET_KEY.");
    });
  });

  test("judges are asked by the worker with its key; what they said is kept by the run", async ({ world }) => {
    const server = await startRawModel(() => ({ body: replyOf("anthropic", "SCORE=5 REASON=Warm.") }));
    world.write("skills/alpha/evals/evals.json", {
      evals: [1, 2].map((n) => ({
        id: `case-${n}`,
        prompt: `Write letter ${n}.`,
        graders: [{ type: "rubric", config: { rubric: "Warm." } }],
      })),
    });
    world.worker({ env: { ...world.env, ...(environmentOf("anthropic", server.url) as Record<string, string>) } });
    const options = { only: "cases" as const, judge: "anthropic/claude-haiku-4-5", cache: true };
    const first = await world.onWorkers(options);
    expect(first.scores.targets[0]?.questions.map(({ verdict }) => verdict)).toEqual(["pass", "pass"]);
    expect(server.requests).toHaveLength(2);
    const again = await world.onWorkers(options);
    expect(server.requests).toHaveLength(2);
    expect(again.trials.every(({ cached }) => cached !== undefined)).toBe(true);
    await server.close();
  });

  test("doctor says who is there and what they can run", async ({ world }) => {
    world.worker({
      name: "one",
      jobs: 3,
      targets: ["script"],
      env: { ...world.env, OPENAI_API_KEY: "sk-none-of-your-business" },
    });
    const look = () => fleet({ url: world.redis.url, env: world.env });
    await until("the worker is there", async () => (await look()).workers.length > 0);
    const view = await look();
    expect(view).toMatchObject({ place: world.redis.url, persists: false, runs: 0, unsigned: 0 });
    expect(view.workers).toMatchObject([
      { name: "one", slots: 3, version: VERSION, can: { keys: ["OPENAI_API_KEY"], only: ["script"] } },
    ]);
    expect(JSON.stringify(view)).not.toContain("none-of-your-business");
  });
});
