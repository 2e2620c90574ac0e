import { afterEach, beforeEach, expect, test } from "vitest";
import type { PlannedTarget } from "../../src/exam/plan/planned-ask.ts";
import { whySkipped } from "../../src/exam/plan/questions/who-answers.ts";
import type { Identity, Trigger } from "../../src/model/index.ts";
import { World } from "../world.ts";

let world: World;
beforeEach(() => {
  world = new World();
  world.skill("refund", [
    { query: "I want my money back", should_trigger: true, tags: ["money"] },
    { query: "Where is my parcel?", should_trigger: false },
  ]);
  world.skill("orders", [
    { query: "Where is my parcel?", should_trigger: true },
    { query: "I want my money back", should_trigger: false, skip: "not today" },
  ]);
  world.script({ default: { skills: [] } });
});
afterEach(() => world.remove());

const ids = async (flags: Parameters<World["prepare"]>[0]) =>
  (await world.prepare(flags)).plan.questions.map(({ skill, prompt }) => `${skill}: ${prompt}`).sort();

test("questions with the same ask share its trials", async () => {
  const { plan } = await world.prepare();
  expect(plan.questions).toHaveLength(4);
  expect(plan.asks).toHaveLength(2);
  expect(plan.asks.find(({ ask }) => ask.prompt === "Where is my parcel?")!.questions).toHaveLength(2);
});

test("a question with a reason to skip is planned and not asked", async () => {
  const { questions, trials } = await world.sit();
  const skipped = questions.find((question) => question.skill === "orders" && question.prompt.includes("money"))!;
  expect(skipped.skipped).toEqual({ "script:answers.yaml": "not today" });
  expect(trials.flatMap((trial) => trial.checks).map((check) => check.question)).not.toContain(skipped.id);
});

test.each([
  ["--skill", { skills: ["orders"] }, ["orders: I want my money back", "orders: Where is my parcel?"]],
  ["--tag", { tags: ["money"] }, ["refund: I want my money back"]],
  ["--grep", { grep: ["PARCEL"] }, ["orders: Where is my parcel?", "refund: Where is my parcel?"]],
  [
    "--grep PARCEL --grep nobody",
    { grep: ["PARCEL", "nobody says this"] },
    ["orders: Where is my parcel?", "refund: Where is my parcel?"],
  ],
  [
    "--only",
    { only: "triggers" as const },
    [
      "orders: I want my money back",
      "orders: Where is my parcel?",
      "refund: I want my money back",
      "refund: Where is my parcel?",
    ],
  ],
])("%s chooses questions and makes the run partial", async (name, flags, expected) => {
  expect(await ids(flags)).toEqual(expected);
  expect((await world.prepare(flags)).partial.join(" ")).toContain(name);
});

test("a path chooses questions, never the library", async () => {
  world.write("proctor.config.yaml", "jobs: 2\n");
  const { plan, library, partial } = await world.prepare({}, ["skills/refund"]);
  expect(plan.questions.map((question) => question.skill)).toEqual(["refund", "refund"]);
  expect(library.skills).toHaveLength(2);
  expect(partial).toEqual(["skills/refund"]);
});

test("the path of a SKILL.md chooses its skill's questions", async () => {
  world.write("proctor.config.yaml", "jobs: 2\n");
  const { plan } = await world.prepare({}, ["skills/refund/SKILL.md"]);
  expect(plan.questions.map((question) => question.skill)).toEqual(["refund", "refund"]);
});

test("a path without a question is refused by its own name, with its own skill", async () => {
  world.write("proctor.config.yaml", "jobs: 2\n");
  world.skill("returns");
  await expect(world.prepare({}, ["skills/returns"])).rejects.toMatchObject({
    message: "There is no question in skills/returns or about a skill in it.",
    hint: expect.stringMatching(/proctor init returns /),
    exitCode: 3,
  });
});

test("nothing chosen is all, and not partial", async () => {
  expect((await world.prepare()).partial).toEqual([]);
});

test.each([
  [{ skills: ["refunds"] }, /no skill "refunds".*/, /refund/],
  [{ tags: ["mony"] }, /no tag "mony"/, /money/],
  [{ cases: ["x"] }, /no case "x"/, /no case/],
  [{ targets: ["scirpt:answers.yaml"] }, /no target/, /script/],
  [{ grep: ["nobody says this"] }, /No question matches/, undefined],
])("what matches nothing is refused with the nearest names: %j", async (flags, message, hint) => {
  const error = await world.prepare(flags).catch((caught: unknown) => caught as Error & { hint?: string });
  expect(error).toMatchObject({ name: "UsageError", message: expect.stringMatching(message) });
  if (hint) expect((error as { hint?: string }).hint).toMatch(hint);
});

test("--case asks one case and no trigger", async () => {
  world.write("skills/refund/evals/evals.json", {
    skill_name: "refund",
    evals: [
      {
        name: "one",
        prompt: "Refund me",
        graders: [{ type: "skill_invocation", config: { required_skills: ["refund"], mode: "any_order" } }],
      },
      {
        name: "two",
        prompt: "Refund us",
        graders: [{ type: "skill_invocation", config: { required_skills: ["refund"], mode: "any_order" } }],
      },
    ],
  });
  const { plan } = await world.prepare({ cases: ["one"] });
  expect(plan.questions.map(({ kind, prompt }) => [kind, prompt])).toEqual([["case", "Refund me"]]);
});

test("a question about an unknown skill is invalid, with its place, and the others are asked", async () => {
  world.skill("orders", [
    { query: "Where is it?", should_trigger: true, expect: "ordres" },
    { query: "Where is my parcel?", should_trigger: true },
  ]);
  const { questions, trials, scores, exit } = await world.sit();
  const invalid = questions.find((question) => question.invalid !== undefined)!;
  expect(invalid.invalid).toMatch(/ordres.*orders/);
  expect(invalid.source).toMatchObject({ file: "skills/orders/evals/triggers.json", line: expect.any(Number) });
  expect(trials.some((trial) => trial.ask === invalid.ask)).toBe(false);
  expect(scores.targets[0]!.total.coverage).toMatchObject({ missing: { invalid: 1 } });
  expect(exit).toBe(1);
});

test.each([
  ["checks nothing", "{}", /[Nn]othing to check/],
  ["cannot be checked as it says", "{ required_skills: [refund], mode: sometimes }", /mode/],
])("a task of waza that %s is not asked, and the others are", async (_, config, why) => {
  const task = (prompt: string, config: string) =>
    `inputs: { prompt: "${prompt}" }\ngraders:\n  - { type: skill_invocation, name: fires, config: ${config} }\n`;
  world.write("proctor.config.yaml", "jobs: 2\n");
  world.write(
    "evals/eval.yaml",
    "name: shop\nskill: refund\nconfig: { trials_per_task: 1 }\ntasks: ['tasks/*.yaml']\n",
  );
  world.write("evals/tasks/a.yaml", `id: a\n${task("Send me something", config)}`);
  world.write("evals/tasks/b.yaml", `id: b\n${task("Give it back", "{ required_skills: [refund], mode: any_order }")}`);
  const { plan } = await world.prepare({ keepGoing: true }, ["evals"]);
  const invalid = plan.questions.filter((question) => question.invalid !== undefined);
  expect(invalid.map((question) => [question.prompt, question.invalid])).toEqual([
    ["Send me something", expect.stringMatching(why)],
  ]);
  expect(plan.asks.map(({ ask }) => ask.prompt)).toEqual(["Give it back"]);
});

test("skip_providers leaves a question out on that provider's targets only", async () => {
  world.skill("orders", [{ query: "Where is my parcel?", should_trigger: true, skip_providers: ["anthropic"] }]);
  world.script({ default: { skills: [] }, provider: "anthropic" }, "a.yaml");
  world.script({ default: { skills: [] }, provider: "openai" }, "b.yaml");
  const { plan } = await world.prepare({ targets: ["script:a.yaml", "script:b.yaml"], skills: ["orders"] });
  expect(plan.questions[0]!.skipped).toEqual({ "script:a.yaml": "the suite skips anthropic" });
  expect(plan.questions[0]!.runs).toEqual({ "script:b.yaml": 3 });
});

test("deterministic targets are asked once, others as often as the question, the flag or the default says", async () => {
  world.skill("orders", [
    { query: "one", should_trigger: true, runs: 5 },
    { query: "two", should_trigger: true },
  ]);
  world.script({ default: { skills: [] }, deterministic: true }, "sure.yaml");
  const runs = async (flags: Parameters<World["prepare"]>[0]) =>
    (await world.prepare({ skills: ["orders"], ...flags })).plan.questions.map(
      (question) => Object.values(question.runs)[0],
    );
  expect(await runs({})).toEqual([5, 3]);
  expect(await runs({ runs: 2 })).toEqual([2, 2]);
  expect(await runs({ confidence: 0.95, maxRuns: 12 })).toEqual([12, 12]);
  expect(await runs({ targets: ["script:sure.yaml"], runs: 7 })).toEqual([1, 1]);
});

test("--cross adds every sibling's positive as a negative check and asks nothing new", async () => {
  world.skill("gifts", [{ query: "Wrap it", should_trigger: true, also_fine: ["orders"] }]);
  const plain = await world.prepare();
  const crossed = await world.prepare({ cross: true });
  expect(crossed.plan.asks.map(({ ask }) => ask.key).sort()).toEqual(plain.plan.asks.map(({ ask }) => ask.key).sort());
  const added = crossed.plan.questions
    .filter((question) => question.cross)
    .map(({ skill, prompt }) => `${skill}: ${prompt}`);
  expect(added.sort()).toEqual(["gifts: I want my money back", "gifts: Where is my parcel?", "refund: Wrap it"]);
});

test("a broken suite is left out and told, and --keep-going accepts that; where it is all there is, nothing can be asked", async () => {
  world.write("skills/orders/evals/triggers.json", '[{ "query": "broken", ');
  const { plan, broken } = await world.prepare();
  expect(plan.questions.length).toBeGreaterThan(0);
  expect(broken).toEqual([expect.objectContaining({ severity: "error" })]);
  expect((await world.prepare({ keepGoing: true })).broken).toEqual([]);
  world.write("skills/refund/evals/triggers.json", '[{ "query": "broken", ');
  await expect(world.prepare()).rejects.toMatchObject({ name: "UsageError", problems: [{}, {}] });
});

test("a target that cannot answer a kind of question skips it with the reason", async () => {
  world.write("skills/refund/evals/evals.json", {
    skill_name: "refund",
    evals: [
      {
        id: "one",
        prompt: "Refund me",
        graders: [{ type: "skill_invocation", config: { required_skills: ["refund"], mode: "any_order" } }],
      },
    ],
  });
  const { plan } = await world.prepare({ targets: ["embedded"] });
  const question = plan.questions.find(({ kind }) => kind === "case")!;
  expect(question.runs).toEqual({});
  expect(question.skipped["embedded"]).toEqual(expect.any(String));
});

test.each<[string, Partial<Identity>, string | undefined]>([
  ["claude:haiku", { provider: "anthropic", model: "claude-haiku-4-5" }, "anthropic"],
  ["copilot:claude-sonnet-5", { model: "claude-sonnet-5" }, "anthropic"],
  ["opencode:anthropic/claude-haiku-4-5", { model: "anthropic/claude-haiku-4-5" }, "anthropic"],
  ["opencode:openrouter/google/gemini-3-flash", { model: "openrouter/google/gemini-3-flash" }, "google"],
  ["copilot:gpt-5.5", { model: "gpt-5.5" }, undefined],
])("a provider that is skipped is skipped whoever offers its model: %s", (_id, identity, skipped) => {
  const question = { kind: "trigger", skipProviders: ["anthropic", "google"] } as unknown as Trigger;
  const planned = { target: { answers: { trigger: true, case: true } }, identity } as unknown as PlannedTarget;
  expect(whySkipped(question, planned)).toBe(skipped === undefined ? undefined : `the suite skips ${skipped}`);
});
