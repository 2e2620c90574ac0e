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
    predicted
      .filter((trial) => trial.checks.some(({ passed }) => passed === null))
      .map((trial) => promptOf.get(trial.ask)),
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

test("--calibrate says what it would take, where no agent has been asked about these cards", async () => {
  world.skill("invoices", [{ query: "Create an invoice", should_trigger: true }]);
  const { header, trials } = await world.sit({ targets: ["embedded"], calibrate: true });
  expect(header.targets[0]!.note).toMatch(
    /not calibrated: that takes 30 activations and 30 silences of one agent on these exact cards, and the records here hold none; proctor run -t claude:haiku, for example, makes some$/,
  );
  expect(trials).toHaveLength(1);
});

test("--calibrate without the embedded target is refused", async () => {
  world.skill("invoices", [{ query: "Create an invoice", should_trigger: true }]);
  world.script({ default: { skills: ["invoices"] } });
  await expect(world.sit({ targets: ["script:answers.yaml"], calibrate: true })).rejects.toThrow(
    /^--calibrate fits the embedded target/,
  );
});

test("--unsure asks only what the embedded target cannot tell", async () => {
  world.skill("invoices", INVOICES, "Creates invoices for customers and sends invoices by mail.");
  world.skill("travel", [], "Books trains and hotels for business travel.");
  world.script({ default: { skills: ["invoices"] } });
  const all = await world.sit({ targets: ["embedded"] });
  const open = all.trials.filter(({ checks }) => checks.some(({ passed }) => passed === null)).map(({ ask }) => ask);
  const prompts = all.questions.filter(({ ask }) => open.includes(ask)).map(({ prompt }) => prompt);
  expect(prompts.length).toBeGreaterThan(0);
  expect(prompts.length).toBeLessThan(INVOICES.length);
  const { questions, header } = await world.sit({ targets: ["script:answers.yaml"], unsure: true });
  expect(questions.map(({ prompt }) => prompt)).toEqual(prompts);
  expect(header.partial).toEqual(["--unsure"]);
});

test("--unsure asks nobody about a skill that no model may activate", async () => {
  world.skill("invoices", INVOICES, "Creates invoices for customers.\ndisable-model-invocation: true");
  world.skill("travel", [{ query: "zzz", should_trigger: true }], "Books trains and hotels for business travel.");
  world.script({ default: { skills: ["travel"] } });
  const { questions } = await world.sit({ targets: ["script:answers.yaml"], unsure: true });
  expect(questions.map(({ skill }) => skill)).toEqual(["travel"]);
});

test("--unsure has nothing to ask where the embedded target can tell everything", async () => {
  world.skill("invoices", [INVOICES[1]!], "Creates invoices for customers and sends invoices by mail.");
  world.skill("travel", [], "Books trains and hotels for business travel.");
  world.script({ default: { skills: ["invoices"] } });
  await expect(world.prepare({ targets: ["script:answers.yaml"], unsure: true })).rejects.toThrow(
    "The embedded target can tell for all of these questions",
  );
});

test.each([
  [{ grep: ["zzzz"] }, "No question matches --grep zzzz."],
  [{ skills: ["travel"], grep: ["zzz"] }, "No question matches --skill travel --grep zzz."],
  [{ only: "cases" as const }, "--unsure asks only triggers, and only cases are chosen."],
])("--unsure with filters %j that leave no trigger says which it is", async (filters, message) => {
  world.skill("invoices", INVOICES, "Creates invoices for customers and sends invoices by mail.");
  world.skill("travel", [], "Books trains and hotels for business travel.");
  const cases = [{ id: "one", prompt: "Write it", assertions: [{ type: "contains", value: "invoice" }] }];
  world.write("skills/invoices/evals/evals.json", { skill_name: "invoices", evals: cases });
  world.script({ default: { skills: ["invoices"] } });
  await expect(world.prepare({ targets: ["script:answers.yaml"], unsure: true, ...filters })).rejects.toThrow(message);
});

test("--unsure puts nothing to the embedded target alone: it has said that it cannot tell", async () => {
  world.skill("invoices", INVOICES, "Creates invoices for customers and sends invoices by mail.");
  await expect(world.prepare({ targets: ["embedded"], unsure: true })).rejects.toThrow(
    /^--unsure asks somebody else what the embedded/,
  );
});

const INVOICES = [
  { query: "zzz", should_trigger: true },
  { query: "Create invoices for two customers and send the invoices by mail", should_trigger: true },
  { query: "qqq", should_trigger: true },
];
