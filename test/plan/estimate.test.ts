import { afterEach, beforeEach, expect, test } from "vitest";
import { estimate } from "../../src/exam/plan/index.ts";
import { World } from "../world.ts";

let world: World;
beforeEach(() => {
  world = new World();
  world.skill("alpha", [
    { query: "Question 1", should_trigger: true },
    { query: "Question 2", should_trigger: true, skip: "not today" },
    { query: "Question 3", should_trigger: false },
  ]);
});
afterEach(() => world.remove());

const FLAGS = { runs: 4, earlyStop: false };
const estimated = async (flags = FLAGS) => (await estimate(await world.prepare(flags)))[0]!;

test("the price of a trial is that of trials which were asked: cached ones and errors say nothing about the next", async () => {
  world.script({
    answers: [{ query: "Question 3", skills: [], cost: 0.5, runs: { 4: { error: "unknown", cost: 0 } } }],
    default: { skills: ["alpha"], cost: 0.5 },
    cost_per_trial: "unknown",
  });
  const before = await estimated();
  expect(before).toMatchObject({ asks: 2, past: 0, ms: null, usd: null, skipped: { "not today": 1 } });
  await world.sit(FLAGS);
  const first = await estimated();
  expect(first).toMatchObject({ trials: { least: 8, most: 8 }, past: 7, usd: { least: 4, most: 4 } });
  const { trials } = await world.sit(FLAGS);
  expect(trials.filter(({ cached }) => cached !== undefined)).toHaveLength(7);
  expect(await estimated()).toEqual(first);
});

test("early stop makes a range of it", async () => {
  world.script({ default: { skills: ["alpha"] }, cost_per_trial: 0.25 });
  const { trials, usd } = await estimated({ runs: 4, earlyStop: true });
  expect(trials).toEqual({ least: 4, most: 8 });
  expect(usd).toEqual({ least: 1, most: 2 });
});

test.each([
  ["anthropic/claude-haiku-4-5", 0.25 + 3 * 0.0018],
  ["ollama/qwen3", 0.25],
  ["gateway/large", null],
])("the judge %s is part of what cases cost, and makes it unknown where its price is", async (judge, each) => {
  world.skill("beta");
  world.write("skills/beta/evals/evals.json", {
    evals: [{ prompt: "p", graders: [{ type: "rubric", config: { rubric: "r", votes: 3 } }] }],
  });
  world.script({ default: { text: "t" }, cost_per_trial: 0.25 });
  const [first] = await estimate(await world.prepare({ judge, only: "cases" }));
  expect(first?.usd).toEqual(each === null ? null : { least: expect.closeTo(each, 9), most: expect.closeTo(each, 9) });
});
