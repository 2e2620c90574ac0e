import { afterEach, beforeEach, expect, test } from "vitest";
import { World } from "../world.ts";

let world: World;
beforeEach(() => {
  world = new World();
});
afterEach(() => world.remove());

test("--escalate asks the costly target first what the embedded one is unsure of, within the budget", async () => {
  world.skill(
    "invoices",
    [
      { query: "zzz", should_trigger: true },
      { query: "Create an invoice for a customer and send it by mail", should_trigger: true },
      { query: "make a bill for the customer", should_trigger: true },
      { query: "qqq", should_trigger: true },
    ],
    "Creates invoices for customers and sends them by mail.",
  );
  world.script({ default: { skills: ["invoices"], cost: 1 }, cost_per_trial: 1 });
  const flags = { targets: ["embedded", "script:answers.yaml"], runs: 1, jobs: 1, cache: false, escalate: true };
  const { trials, questions } = await world.sit(flags);
  const promptOf = new Map(questions.map(({ ask, prompt }) => [ask, prompt]));
  const predicted = trials.filter((trial) => trial.target === "embedded");
  const unsure = new Set(
    predicted.filter((trial) => trial.checks.some(({ passed }) => passed === null)).map((trial) => promptOf.get(trial.ask)),
  );
  const asked = trials.filter((trial) => trial.target !== "embedded").map((trial) => promptOf.get(trial.ask));
  expect(trials.slice(0, 4).every((trial) => trial.target === "embedded")).toBe(true);
  expect(unsure.size).toBeGreaterThan(0);
  expect(unsure.size).toBeLessThan(4);
  expect(new Set(asked.slice(0, unsure.size))).toEqual(unsure);
  expect(asked).toHaveLength(4);

  const limited = await world.sit({ ...flags, budget: 1 });
  expect(limited.trials.filter((trial) => trial.target !== "embedded")).toHaveLength(1);
});

test("--calibrate says which thresholds were used, and needs enough labels to change any", async () => {
  world.skill("invoices", [{ query: "Create an invoice", should_trigger: true }]);
  const { header, trials } = await world.sit({ targets: ["embedded"], calibrate: true });
  expect(header.targets[0]!.note).toMatch(/calibration needs 50 labels/);
  expect(trials).toHaveLength(1);
});
