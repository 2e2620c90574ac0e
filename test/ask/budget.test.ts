import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { askExam } from "../../src/exam/index.ts";
import { readSat, World } from "../world.ts";

let world: World;
beforeEach(() => {
  world = new World();
  world.skill(
    "alpha",
    Array.from({ length: 20 }, (_, index) => ({ query: `Question ${index + 1}`, should_trigger: true })),
  );
});
afterEach(() => world.remove());

const spent = (trials: { costUsd?: number }[]) => trials.reduce((sum, trial) => sum + (trial.costUsd ?? 0), 0);

test("nothing starts that would pass the budget, and the rest is reported as not asked", async () => {
  world.script({ default: { skills: ["alpha"], latency: 2 }, cost_per_trial: 0.1 });
  const { trials, lines, exit } = await world.sit({ runs: 1, jobs: 4, budget: 1.05 });
  expect(trials).toHaveLength(10);
  expect(spent(trials)).toBeLessThanOrEqual(1.05);
  expect(lines.at(-1)).toMatchObject({ how: "stopped", notAsked: { budget: 10 } });
  expect(exit).toBe(3);
});

test("what trials really cost is what the next ones are expected to", async () => {
  world.script({ default: { skills: ["alpha"], cost: 0.5 }, cost_per_trial: 0.01 });
  const { trials } = await world.sit({ runs: 1, jobs: 1, budget: 2 });
  expect(trials).toHaveLength(4);
});

test("retries are paid for too", async () => {
  world.script({
    default: { skills: ["alpha"], error: { reason: "overloaded", times: 1, retry_after: 1 } },
    cost_per_trial: 0.1,
  });
  const { trials } = await world.sit({ runs: 1, jobs: 1, budget: 1 });
  expect(trials.reduce((sum, trial) => sum + trial.attempts.length, 0)).toBe(10);
  expect(spent(trials)).toBeCloseTo(1);
});

test.each([
  ["early stop", {}],
  ["every run", { earlyStop: false }],
])("a run that a limit cuts short has finished questions to show, not first runs of all (%s)", async (_, flags) => {
  world.script({ default: { skills: ["alpha"] } });
  const { trials, scores } = await world.sit({ runs: 3, jobs: 4, maxTrials: 12, ...flags });
  expect(trials).toHaveLength(12);
  const verdicts = scores.targets[0]!.total.coverage.verdicts;
  expect(verdicts).toBeGreaterThanOrEqual(4);
  expect(new Set(trials.map(({ ask }) => ask)).size).toBeLessThanOrEqual(7);
});

test("--max-trials counts trials, not retries", async () => {
  world.script({ default: { skills: ["alpha"], error: { reason: "overloaded", times: 1, retry_after: 1 } } });
  const { trials, lines } = await world.sit({ runs: 1, jobs: 1, maxTrials: 3 });
  expect(trials.map(({ attempts, error }) => [attempts.length, error])).toEqual(
    Array.from({ length: 3 }, () => [2, undefined]),
  );
  expect(lines.at(-1)).toMatchObject({ how: "stopped", notAsked: { "--max-trials": 17 } });
});

test("--budget-tokens learns from the first trial what the others take", async () => {
  world.script({
    default: { skills: ["alpha"], usage: { input_tokens: 90, output_tokens: 10 } },
    cost_per_trial: "unknown",
  });
  const { trials } = await world.sit({ runs: 1, jobs: 4, budgetTokens: 500 });
  expect(trials).toHaveLength(5);
});

test("a target of unknown cost with only --budget is refused before anything is asked", async () => {
  world.script({ default: { skills: ["alpha"], cost: null }, cost_per_trial: "unknown" });
  await expect(world.sit({ budget: 5 })).rejects.toMatchObject({
    name: "UsageError",
    message: expect.stringMatching(/not known/),
  });
  expect((await world.sit({ runs: 1, budget: 5, maxTrials: 3 })).trials).toHaveLength(3);
});

test("a cost in the configuration makes an unknown one known", async () => {
  world.script({ default: { skills: ["alpha"], cost: null }, cost_per_trial: "unknown" });
  world.write("proctor.config.json", { targets: [{ target: "script:answers.yaml", cost_usd: 1 }] });
  expect((await world.sit({ runs: 1, budget: 3.5, jobs: 1 })).trials.length).toBeGreaterThan(0);
});

test("cached answers are free, also when the budget is used up", async () => {
  world.script({ default: { skills: ["alpha"] }, cost_per_trial: 0.1 });
  await world.sit({ runs: 1 });
  const { trials, exit } = await world.sit({ runs: 1, budget: 0 });
  expect(trials).toHaveLength(20);
  expect(trials.every((trial) => trial.cached !== undefined && trial.costUsd === 0)).toBe(true);
  expect(exit).toBe(0);
});

test.each([8, 16])(
  "a price that was underestimated is learnt from few trials, so that %i jobs keep the budget",
  async (jobs) => {
    world.script({ default: { skills: ["alpha"], cost: 0.25, latency: 5 }, cost_per_trial: 0.01 });
    const { trials } = await world.sit({ runs: 1, jobs, budget: 1 });
    expect(spent(trials)).toBeLessThanOrEqual(1);
    expect(trials).toHaveLength(4);
  },
);

describe("an answer that may cost 0.50 at most, where less than that is left", () => {
  const asked = async (cheap: number) => {
    world.script({ default: { skills: ["alpha"], cost: 0.01 }, cost_per_trial: 0.01 });
    const exam = await world.prepare({ runs: 1, jobs: 1, budget: 0.495 + 0.01 * cheap, cache: false });
    const targets = exam.targets.map(({ target, ...rest }) => ({ ...rest, target: { ...target, mostCostUsd: 0.5 } }));
    const { place } = await askExam({ ...exam, targets });
    return (await readSat(place)).trials.length;
  };

  test.each([1, 2])("is not asked for after %i that cost 0.01", async (cheap) => {
    expect(await asked(cheap)).toBe(cheap);
  });

  test("is asked for after 3 that cost 0.01: what was seen now counts", async () => {
    expect(await asked(3)).toBe(20);
  });
});

test("prices that vary keep the budget too: what is reserved is the most that was seen", async () => {
  const answers = Array.from({ length: 20 }, (_, index) => ({
    query: `Question ${index + 1}`,
    skills: ["alpha"],
    cost: index % 2 === 0 ? 0.3 : 0.02,
  }));
  world.script({ answers, default: { skills: [] }, cost_per_trial: 0.02, latency: 2 });
  expect(spent((await world.sit({ runs: 1, jobs: 8, budget: 1 })).trials)).toBeLessThanOrEqual(1);
});

test("where nobody says what an answer cost, it counts as what the configuration says", async () => {
  world.script({ default: { skills: ["alpha"], cost: null }, cost_per_trial: "unknown" });
  world.write("proctor.config.json", { targets: [{ target: "script:answers.yaml", cost_usd: 1 }] });
  expect((await world.sit({ runs: 1, budget: 3.5, jobs: 4 })).trials).toHaveLength(3);
});

test("--budget-tokens counts what a provider had cached once: it is part of the input", async () => {
  const usage = { input_tokens: 90, output_tokens: 10, cache_read_tokens: 80, cache_write_tokens: 10 };
  world.script({ default: { skills: ["alpha"], usage }, cost_per_trial: "unknown" });
  expect((await world.sit({ runs: 1, jobs: 4, budgetTokens: 500 })).trials).toHaveLength(5);
});

test("--max-trials holds over all parts of a run", async () => {
  world.script({ default: { skills: ["alpha"] } });
  const flags = { runs: 1, jobs: 4, maxTrials: 10, cache: false };
  const { place, trials } = await world.sit(flags);
  expect(trials).toHaveLength(10);
  for (let time = 0; time < 2; time++) expect((await world.sit(flags, { resume: place })).trials).toHaveLength(10);
  expect((await world.sit({ ...flags, maxTrials: 15 }, { resume: place })).trials).toHaveLength(15);
});

test("what errors have cost counts after a resume, although they are asked again", async () => {
  world.script({ default: { error: "rate_limit", cost: 0.5 }, cost_per_trial: 0.5 });
  const flags = { runs: 1, jobs: 1, budget: 1, retries: 0, cache: false };
  const { place, trials } = await world.sit(flags);
  expect(trials).toHaveLength(2);
  expect((await world.sit(flags, { resume: place })).trials).toHaveLength(2);
});
