import { afterEach, beforeEach, expect, test } from "vitest";
import { World } from "../world.ts";

let world: World;
beforeEach(() => {
  world = new World();
  world.skill("alpha", [
    { query: "First", should_trigger: true },
    { query: "Second", should_trigger: true },
  ]);
  world.skill("beta", [{ query: "Third", should_trigger: true }]);
  world.script({
    answers: [
      { query: ["First", "Second"], skills: ["alpha"], cost: 0.25 },
      { query: "Third", skills: ["beta"], cost: 0.25 },
    ],
  });
});
afterEach(() => world.remove());

const asked = ({ trials }: { trials: { cached?: unknown }[] }) =>
  trials.filter((trial) => trial.cached === undefined).length;

test("an unchanged ask is answered from the cache, marked so, at no cost, with the same checks", async () => {
  const first = await world.sit();
  const second = await world.sit();
  expect(asked(first)).toBe(6);
  expect(asked(second)).toBe(0);
  expect(second.trials[0]).toMatchObject({
    costUsd: 0,
    attempts: [],
    cached: { measuredAt: expect.any(String), savedUsd: 0.25 },
  });
  expect(second.scores.targets[0]!.questions.map(({ verdict }) => verdict)).toEqual(
    first.scores.targets[0]!.questions.map(({ verdict }) => verdict),
  );
});

test("--no-cache neither uses nor keeps answers, --refresh asks anew and keeps them", async () => {
  await world.sit({ cache: false });
  expect(asked(await world.sit())).toBe(6);
  world.skill("beta", [{ query: "Third", should_trigger: true }], "Something else entirely.");
  const refreshed = await world.sit({ refresh: true });
  expect(asked(refreshed)).toBe(6);
  // It was asked because of --refresh, not because of what changed.
  expect(refreshed.trials.map(({ askedBecause }) => askedBecause)).toEqual(Array.from({ length: 6 }, () => undefined));
  expect(asked(await world.sit())).toBe(0);
});

test("more runs ask only the further ones", async () => {
  await world.sit({ runs: 2, earlyStop: false });
  expect(asked(await world.sit({ runs: 4, earlyStop: false }))).toBe(6);
});

test("a body edit asks again only what loaded that skill", async () => {
  await world.sit();
  world.write("skills/beta/SKILL.md", "---\nname: beta\ndescription: Does the work of beta.\n---\nAnother body.\n");
  const { trials, questions } = await world.sit();
  const again = trials.filter((trial) => trial.cached === undefined);
  expect(new Set(again.map((trial) => questions.find((question) => question.ask === trial.ask)!.prompt))).toEqual(
    new Set(["Third"]),
  );
  expect(again[0]!.askedBecause).toMatch(/beta/);
});

test("a new description asks again, and says why", async () => {
  await world.sit();
  world.skill("beta", [{ query: "Third", should_trigger: true }], "Something else entirely.");
  const { trials } = await world.sit();
  expect(trials.every((trial) => trial.cached === undefined)).toBe(true);
  expect(trials[0]!.askedBecause).toMatch(/description of `beta` changed/);
});

test("errors are never answered from the cache", async () => {
  world.script({ default: { error: "unknown" } });
  await world.sit({ runs: 1 });
  expect(asked(await world.sit({ runs: 1 }))).toBe(3);
});

test("a cached answer is graded by today's questions", async () => {
  await world.sit();
  world.skill("alpha", [
    { query: "First", should_trigger: false },
    { query: "Second", should_trigger: true },
  ]);
  const second = await world.sit();
  expect(asked(second)).toBe(0);
  expect(second.scores.targets[0]!.questions.find(({ prompt }) => prompt === "First")!.verdict).toBe("fail");
});
