import { readFileSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openRecord } from "../../src/records/index.ts";
import { flagsOfRun } from "../../src/runs/index.ts";
import { sitExam } from "../../src/sitting/index.ts";
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
  const resumed = await world.sit(FLAGS, { resume: whole.place });
  expect(resumed.trials).toHaveLength(whole.trials.length);
  expect(essence(resumed)).toEqual(essence(whole));
});

test.each([
  [
    "a description",
    { edit: () => world.skill("alpha", [{ query: "alpha 1", should_trigger: true }], "Other words.") },
    /in the library alpha changed/,
  ],
  ["a question", { edit: () => world.skill("alpha", [{ query: "new", should_trigger: true }]) }, /changed/],
  ["the script", { edit: () => world.script({ default: { skills: [] } }) }, /script:answers\.yaml is another one now/],
  ["the number of runs", { flags: { runs: 5 } }, /runs .* → .*5/],
  ["the shard", { flags: { shard: { index: 1, count: 2 } } }, /shard none → 1\/2/],
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

test("a resumed run asks again what failed for reasons of the surroundings", async () => {
  world.script({ default: { error: "auth" } });
  const first = await world.sit({ ...FLAGS, runs: 1 });
  expect(first.exit).toBe(3);
  expect(first.trials.every((trial) => trial.error?.reason === "auth")).toBe(true);
  const resumed = await world.sit({ ...FLAGS, runs: 1 }, { resume: first.place });
  const measured = resumed.trials.filter((trial) => trial.error === undefined);
  expect(resumed.trials.length).toBeGreaterThan(first.trials.length);
  expect(measured).toHaveLength(0);
});

test("what a stored run was asked to do can be read back from it", async () => {
  const { place } = await world.sit({ ...FLAGS, runs: 2, skills: ["alpha"], threshold: 0.7, evidence: "loaded" });
  const { flags } = await flagsOfRun(await openRecord(world.dir, place.run));
  expect(flags).toMatchObject({ targets: ["script:answers.yaml"], skills: ["alpha"], runs: 2, threshold: 0.7, evidence: "loaded" });
  const { cache, retries, jobs } = FLAGS;
  await sitExam(await world.prepare({ ...flags, cache, retries, jobs }), { resume: place });
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
