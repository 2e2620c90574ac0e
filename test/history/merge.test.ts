import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { mergeRecords } from "../../src/history/index.ts";
import { essence, readSat, type Sat, World } from "../world.ts";

let world: World;
beforeEach(() => {
  world = new World();
  for (const name of ["alpha", "beta", "gamma"]) {
    world.skill(
      name,
      Array.from({ length: 8 }, (_, index) => ({
        query: `${index < 2 ? "Shared" : name} ${index}`,
        should_trigger: index % 2 === 0,
      })),
    );
  }
  const answers = ["alpha", "beta", "gamma"].map((name) => ({
    pattern: `^(${name}|Shared)`,
    skills: [name],
    hit_rate: 0.7,
    text: "Done.",
  }));
  world.script({ answers, cost_per_trial: 0.01 });
});
afterEach(() => world.remove());

const FLAGS = { cache: false };
const shards = async (count: number): Promise<Sat[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => world.sit({ ...FLAGS, shard: { index: index + 1, count } })));

test("shards merged in any order give the scores of the whole run", async () => {
  const whole = await world.sit(FLAGS);
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }).chain((count) => fc.shuffledSubarray(range(count), { minLength: count })),
      async (order) => {
        const parts = await shards(order.length);
        const merged = await mergeRecords(
          order.map((index) => parts[index]!.place),
          world.dir,
        );
        const sat = await readSat(merged.place);
        expect(merged).toMatchObject({ twice: 0, missing: [], trials: whole.trials.length });
        expect(essence(sat)).toEqual(essence(whole));
        expect(sat.scores.run.how).toBe("complete");
        expect(sat.header.shard).toBeUndefined();
      },
    ),
    { numRuns: 8 },
  );
});

test("every ask is in exactly one shard", async () => {
  const parts = await shards(3);
  const asks = parts.map((part) => new Set(part.trials.map((trial) => trial.ask)));
  const all = new Set(parts.flatMap((part) => part.trials.map((trial) => trial.ask)));
  expect(asks.reduce((sum, set) => sum + set.size, 0)).toBe(all.size);
});

test("a shard that is there twice is detected, and one that is missing is named", async () => {
  const [one, , three] = await shards(3);
  const merged = await mergeRecords([one!.place, three!.place, one!.place], world.dir);
  expect(merged).toMatchObject({ twice: one!.trials.length, missing: [2] });
  const sat = await readSat(merged.place);
  expect(sat.trials).toHaveLength(one!.trials.length + three!.trials.length);
  expect(sat.header.partial).toEqual(["without shard 2/3"]);
  expect(sat.scores.run.missingShards).toEqual([2]);
  expect(sat.scores.run.how).toBe("stopped");
});

test("transcripts go along", async () => {
  const { place } = await mergeRecords(
    (await shards(2)).map((part) => part.place),
    world.dir,
  );
  expect((await readSat(place)).trials.some((trial) => trial.transcript !== undefined)).toBe(true);
});

test("records of different exams are refused with the difference", async () => {
  const [one] = await shards(2);
  const other = await world.sit({ ...FLAGS, runs: 1, shard: { index: 2, count: 2 } });
  await expect(mergeRecords([one!.place, other.place], world.dir)).rejects.toThrow(
    /not parts of one run: other options/,
  );
});

function range(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}
