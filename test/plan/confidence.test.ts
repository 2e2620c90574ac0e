import { afterEach, beforeEach, expect, test } from "vitest";
import { World } from "../world.ts";

let world: World;
beforeEach(() => {
  world = new World();
  world.skill("alpha", [{ query: "First", should_trigger: true }]);
  world.script({ default: { skills: ["alpha"] } });
});
afterEach(() => world.remove());

test.each([
  [{ confidence: 0.95, threshold: 0.9 }, /not even by a skill that fires every time/, /--max-runs 69/],
  [{ confidence: 0.95, negativeThreshold: 0.1 }, /not even by a skill that never fires/, /--max-runs 69/],
  [{ confidence: 0.95, maxRuns: 7 }, /--threshold 0\.5 cannot be reached in 7 runs/, /--max-runs 8/],
  [{ confidence: 0.95, threshold: 1 }, /--threshold 1 cannot be reached/, /leaves room/],
])("%o is refused before anything is asked, with the number of runs that could", async (flags, message, hint) => {
  await expect(world.prepare(flags)).rejects.toMatchObject({
    name: "UsageError",
    message: expect.stringMatching(message),
    hint: expect.stringMatching(hint),
  });
});

test("the number that is named is enough for a perfect skill, and not one run more", async () => {
  const { trials, scores } = await world.sit({ confidence: 0.95, threshold: 0.9, maxRuns: 69 });
  expect(trials).toHaveLength(69);
  expect(scores.targets[0]!.questions[0]!.verdict).toBe("pass");
  await expect(world.prepare({ confidence: 0.95, threshold: 0.9, maxRuns: 68 })).rejects.toThrow("68 runs");
});

test("a target that always answers alike is asked once, whatever the confidence", async () => {
  await world.prepare({ targets: ["embedded"], confidence: 0.95, threshold: 0.9 });
});
