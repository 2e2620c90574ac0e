import { readFileSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { askExam } from "../../src/exam/index.ts";
import { openRecord } from "../../src/exam/record/index.ts";
import { settingsOfRun } from "../../src/history/index.ts";
import { startLoopback } from "../../src/loopback/index.ts";
import { essence, readSat, World } from "../world.ts";

let world: World;
beforeEach(() => {
  world = new World();
  for (const name of ["alpha", "beta"]) {
    world.skill(
      name,
      Array.from({ length: 6 }, (_, index) => ({
        query: `${index % 3 === 0 ? "Shared" : name} ${index}`,
        should_trigger: index % 2 === 0,
      })),
    );
  }
  const flaky = ["alpha", "beta"].map((name) => ({ pattern: `^(${name}|Shared)`, skills: [name], hit_rate: 0.6 }));
  world.script({ answers: [{ query: "beta 1", fault: "half_line" }, ...flaky], seed: 7 });
});
afterEach(() => world.remove());

const FLAGS = { cache: false, retries: 0, jobs: 3 };

/** Cuts a record back as a kill would leave it: at any byte. */
function cutAt(file: string, share: number): void {
  const bytes = readFileSync(file);
  const header = bytes.indexOf(10) + 1;
  writeFileSync(file, bytes.subarray(0, header + Math.floor((bytes.length - header) * share)));
}

test("a resumed run equals an uninterrupted one, wherever it was cut", async () => {
  const whole = await world.sit(FLAGS);
  await fc.assert(
    fc.asyncProperty(fc.double({ min: 0, max: 1, noNaN: true }), async (share) => {
      const cut = await world.sit(FLAGS);
      cutAt(cut.place.file, share);
      const resumed = await world.sit(FLAGS, { resume: cut.place });
      expect(essence(resumed)).toEqual(essence(whole));
      const keys = resumed.trials.map(({ target, ask, run }) => `${target} ${ask} ${run}`);
      expect(new Set(keys).size).toBe(keys.length);
    }),
    { numRuns: 15 },
  );
});

test("resuming a whole run asks nothing", async () => {
  const whole = await world.sit(FLAGS);
  const before = readFileSync(whole.place.file);
  const resumed = await world.sit(FLAGS, { resume: whole.place });
  expect(resumed.trials).toHaveLength(whole.trials.length);
  // Not even the time at which it ended is another.
  expect(readFileSync(whole.place.file).equals(before)).toBe(true);
  expect(essence(resumed)).toEqual(essence(whole));
});

test.each([
  [
    "a description",
    { edit: () => world.skill("alpha", [{ query: "alpha 1", should_trigger: true }], "Other words.") },
    /in the library alpha changed/,
  ],
  ["a question", { edit: () => world.skill("alpha", [{ query: "new", should_trigger: true }]) }, /changed/],
  ["the script", { edit: () => world.script({ default: { skills: [] } }) }, /script:answers\.yaml has changed/],
  ["the number of runs", { flags: { runs: 5 } }, /runs .* → .*5/],
  ["the shard", { flags: { shard: { index: 1, count: 2 } } }, /shard none → 1\/2/],
  ["the evidence that counts", { flags: { evidence: "loaded" } }, /evidence .* → .*loaded/],
  ["the time limit", { flags: { timeoutSeconds: 7 } }, /timeout.* → .*7/i],
  ["the turn limit", { flags: { maxTurns: 2 } }, /turns.* → .*2/i],
  ["the threshold", { flags: { threshold: 0.9 } }, /threshold.* → .*0\.9/i],
  ["the threshold of negatives", { flags: { negativeThreshold: 0.1 } }, /negative.?threshold.* → .*0\.1/i],
  ["early stop", { flags: { earlyStop: false } }, /--no-early-stop off → on/],
  ["the confidence", { flags: { confidence: 0.9 } }, /confidence.* → .*0\.9/],
  ["crossing", { flags: { cross: true } }, /changed|cross/],
  ["the selection", { flags: { skills: ["alpha"] } }, /alpha/],
])(
  "a run cannot be resumed after %s changed, and the message says so",
  async (_what, change: { edit?: () => void; flags?: object }, message) => {
    const { place } = await world.sit(FLAGS);
    change.edit?.();
    const refused = world.sit({ ...FLAGS, ...change.flags }, { resume: place });
    await expect(refused).rejects.toMatchObject({
      name: "UsageError",
      message: expect.stringMatching(message),
      hint: "Start a new run; the cache keeps what is unchanged.",
    });
    await readSat(place);
  },
);

describe("a trial that ended in an error", () => {
  const PASSES = ["auth", "rate_limit", "overloaded", "blocked", "invalid_cell"];
  const STAYS = ["api", "timeout", "crash", "cut_stream", "unparseable", "flood", "unknown"];
  const only = { cache: false, retries: 0, runs: 1, grep: ["alpha 1"] };

  test.each([...PASSES.map((reason) => [reason, 2] as const), ...STAYS.map((reason) => [reason, 1] as const)])(
    "of %s is in the record %i times after the run was resumed: only the surroundings' errors are asked again",
    async (reason, times) => {
      world.script({ default: { error: reason } });
      const first = await world.sit(only);
      expect(first.trials.map(({ error }) => error?.reason)).toEqual([reason]);
      const resumed = await world.sit(only, { resume: first.place });
      expect(resumed.trials.map(({ error, run }) => [error?.reason, run])).toEqual(
        Array.from({ length: times }, () => [reason, 1]),
      );
    },
  );

  test("for want of a login is measured when the run is resumed with one", async () => {
    let loggedIn = false;
    const server = await startLoopback({
      m: { steps: [() => (loggedIn ? { text: '{"skills":["alpha"]}' } : { fault: "status", status: 401 })] },
    });
    world.env = { OLLAMA_BASE_URL: `${server.url}/m/v1` };
    try {
      const flags = { ...only, targets: ["router:ollama/qwen3"] };
      const first = await world.sit(flags);
      expect(first).toMatchObject({ exit: 3, trials: [{ error: { reason: "auth" } }] });
      loggedIn = true;
      const resumed = await world.sit(flags, { resume: first.place });
      expect(resumed.trials.map(({ error }) => error?.reason)).toEqual(["auth", undefined]);
      expect(resumed.scores.targets[0]!.questions).toMatchObject([{ measured: 1, errors: 0 }]);
    } finally {
      await server.close();
    }
  });
});

test("what a stored run was asked to do can be read back from it", async () => {
  const { place } = await world.sit({ ...FLAGS, runs: 2, skills: ["alpha"], threshold: 0.7, evidence: "loaded" });
  const { settings } = await settingsOfRun(await openRecord(world.dir, place.run));
  expect(settings).toMatchObject({
    targets: ["script:answers.yaml"],
    skills: ["alpha"],
    runs: 2,
    threshold: 0.7,
    evidence: "loaded",
  });
  const { cache, retries, jobs } = FLAGS;
  await askExam(await world.prepare({ ...settings, cache, retries, jobs }), { resume: place });
});

test("two runs in one folder at once do not harm each other", async () => {
  const [a, b] = await Promise.all([world.sit(FLAGS), world.sit(FLAGS)]);
  expect(a.place.run).not.toBe(b.place.run);
  expect(essence(a)).toEqual(essence(b));
});

test("a run that is being written cannot be resumed meanwhile", async () => {
  world.script({ default: { skills: [], latency: 50 } });
  let refused: Promise<unknown> | undefined;
  await world.sit(FLAGS, {
    on(event) {
      if (event.type === "record") refused = world.sit(FLAGS, { resume: event.place }).catch((error: unknown) => error);
    },
  });
  expect(await refused).toMatchObject({ name: "UsageError", message: expect.stringMatching(/being written/) });
});
