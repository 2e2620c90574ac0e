import { afterEach, beforeEach, expect, test } from "vitest";
import { requireLogin } from "../../src/exam/ask/limits/require-access.ts";
import type { Exam } from "../../src/exam/plan/index.ts";
import { World } from "../world.ts";

const MINUTE = 60_000;
const now = Date.parse("2026-11-15T12:00:00Z");

let world: World;
beforeEach(() => {
  world = new World();
  world.skill(
    "alpha",
    Array.from({ length: 4 }, (_, index) => ({ query: `Question ${index + 1}`, should_trigger: true })),
  );
  world.script({ default: { skills: ["alpha"] } });
});
afterEach(() => world.remove());

/** Four trials, two at once, on a target whose login has so many minutes left. */
async function examWith(minutesLeft: number | undefined, flags: object = {}): Promise<Exam> {
  const exam = await world.prepare({ runs: 1, jobs: 2, cache: false, timeoutSeconds: 600, ...flags });
  const lasts =
    minutesLeft === undefined ? {} : { lasts: { until: now + minutesLeft * MINUTE, advice: "Log in again." } };
  return { ...exam, targets: exam.targets.map((one) => ({ ...one, target: { ...one.target, ...lasts } })) };
}

test.each([
  ["no end", undefined, {}, true],
  ["as long as trials that all reach their limit take", 20, {}, true],
  ["a minute less than that", 19, {}, false],
  ["half an hour, whatever the limit", 30, { timeoutSeconds: 6_000 }, true],
  ["less than half an hour, with a long limit", 29, { timeoutSeconds: 6_000 }, false],
  ["enough for what is asked of a few", 10, { grep: ["Question 1"] }, true],
])("a login with %s left", async (_what, minutesLeft, flags, fine) => {
  const required = requireLogin(await examWith(minutesLeft, flags), now);
  if (fine) await expect(required).resolves.toBeUndefined();
  else
    await expect(required).rejects.toMatchObject({
      name: "UsageError",
      message: expect.stringMatching(/^The login of script:answers\.yaml expires within the run: it has \d+ min left/),
      hint: expect.stringMatching(/^Log in again\./),
    });
});

test("earlier trials tell how long the run takes", async () => {
  await world.sit({ runs: 1, cache: false });
  await expect(requireLogin(await examWith(1), now)).resolves.toBeUndefined();
  await expect(requireLogin(await examWith(-1), now)).rejects.toThrow(
    "it has 0 min left, and the run takes about 0 min",
  );
});
