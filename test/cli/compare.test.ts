import { readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { World } from "../world.ts";
import { runMain } from "./run-main.ts";

let world: World;
beforeEach(() => {
  world = new World();
  world.write(".git/HEAD", "ref: refs/heads/main\n");
});
afterEach(() => world.remove());

const prompts = ["one", "two", "three", "four", "five", "six", "seven", "eight"];

/** A library of two skills; the script says who answers which prompt. */
function write(answers: (prompt: string) => string[], description = "Handles refunds."): void {
  world.skill(
    "refund",
    prompts.map((query) => ({ query, should_trigger: true })),
    description,
  );
  world.skill("faq", [{ query: "When are you open?", should_trigger: true }]);
  world.script({
    answers: [
      ...prompts.map((query) => ({ query, skills: answers(query) })),
      { query: "When are you open?", skills: ["faq"] },
    ],
  });
}

const run = (...flags: string[]) => runMain(world.dir, ["run", "-q", "-t", "script:answers.yaml", ...flags]);
const compare = (...flags: string[]) => runMain(world.dir, ["compare", ...flags]);
const json = async (...flags: string[]) => JSON.parse((await compare("--json", ...flags)).stdout);

test("says first what differed, then who moved where, and whether that is more than noise", async () => {
  write(() => ["refund"]);
  await run();
  write(() => ["faq"], "Handles money that goes back.");
  await run("--no-cache");
  const shown = await compare("--no-color");
  expect(shown).toMatchObject({ code: 1, stderr: "" });
  const [head, title, ...rest] = shown.stdout.split("\n");
  expect(head).toMatch(/-a → \S+-b/);
  expect(title).toBe("what differed");
  expect(rest[0]).toMatch(/^ {2}edited +refund$/);
  expect(rest[1]).toMatch(/^ {2}target +/);
  const text = shown.stdout.replace(/\s+/g, " ");
  expect(text).toContain("This mixes causes: the skills and the target differ");
  expect(text).toContain("worse beyond noise: share of right runs −0.89 [");
  expect(text).toContain("9 → 1 of 9 questions pass: 8 prompts worse, 0 better (McNemar p = 0.008)");
  expect(text).toMatch(/8 refund → faq 8 now fail/);
  expect(text).toContain("refund 8 → 0 8 −1.00 [−1.00 to −.42] 0.02 worse");
});

test("a prompt is never cut to make room for its place: what has no room beside it stands below", async () => {
  const short = "Give me my money back";
  const medium = `${short} for the order that I placed last Monday`;
  const long = `${medium}, because the blue kettle that arrived has a crack in its lid and leaks on the table`;
  const asked = [short, medium, long];
  const rows = asked.map((query) => ({ query, should_trigger: true }));
  world.skill("refund", rows);
  world.skill("faq");
  world.script({ answers: [{ query: asked, skills: ["refund"] }] });
  await run();
  world.script({ answers: [{ query: asked, skills: ["faq"] }] });
  await run("--no-cache");
  const lines = (await compare("--no-color")).stdout.split("\n");
  const first = lines.findIndex((line) => line.startsWith("✗ now fails"));
  expect(lines.slice(first, first + 8)).toEqual([
    `✗ now fails  refund  "${short}"  skills/refund/evals/triggers.json:2`,
    "    faq was loaded instead, on turn 1.",
    `✗ now fails  refund  "${medium}"`,
    "    faq was loaded instead, on turn 1.  skills/refund/evals/triggers.json:6",
    "✗ now fails  refund",
    `    "${medium}, because the blue kettle that`,
    '    arrived has a crack in its lid and leaks on the table"',
    "    faq was loaded instead, on turn 1.  skills/refund/evals/triggers.json:10",
  ]);
});

test("no evidence of a change is said as such, with what could have been seen and what would do", async () => {
  write(() => ["refund"]);
  await run();
  write((prompt) => (prompt === "one" ? ["faq"] : ["refund"]));
  await run("--no-cache");
  const shown = await compare();
  expect(shown.code).toBe(0);
  const text = shown.stdout.replace(/\s+/g, " ");
  expect(text).toContain("no evidence of a change: share of right runs −0.11 [");
  expect(text).toMatch(
    /a drop of \d+ points or more would have been seen 4 times in 5; one of 10 points \d+ times in 100: /,
  );
  expect(text).toMatch(
    /\d+ runs of each would be enough, \d+ more \(--runs \d+ --no-early-stop, in both\)|more runs would not be enough: add questions/,
  );
  expect((await compare("--gate", "new-thefts<=0")).stdout).toContain(
    "✗ gate new-thefts<=0: 1 prompt newly taken by a sibling (faq from refund)",
  );
});

test("a theft names who should have had the prompt, also where the question stands in the suite of the one that takes it", async () => {
  world.skill("refund");
  world.skill("faq", [{ query: "one", should_trigger: false, expected_skill: "refund" }]);
  world.script({ default: { skills: ["refund"] } });
  await run();
  world.script({ default: { skills: ["faq"] } });
  await run("--no-cache");
  expect((await compare("--gate", "new-thefts<=0")).stdout).toContain(
    "1 prompt newly taken by a sibling (faq from refund)",
  );
});

test("gates on change decide the exit code; one run has nothing that could have changed", async () => {
  write(() => ["refund"]);
  await run();
  write((prompt) => (prompt === "one" ? ["faq"] : ["refund"]));
  await run("--no-cache");
  expect(await compare("-q", "--gate", "no-regression", "--gate", "recall>=0.5")).toMatchObject({ code: 0 });
  expect(await compare("-q", "--gate", "target:claude:haiku no-regression")).toMatchObject({ code: 3 });
  expect(await run("--gate", "no-regression")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("proctor compare"),
  });
  world.write("proctor.config.yaml", "change_gates: ['recall drop<=0.05']\n");
  expect(await compare("-q")).toMatchObject({
    code: 1,
    stdout: expect.stringContaining("the recall drop is 0.11 over 9 questions"),
  });
});

test("questions of only one run are shown apart, and what is not asked alike is left out and counted", async () => {
  write(() => ["refund"]);
  await run();
  world.skill("refund", [
    ...prompts.slice(2).map((query) => ({ query, should_trigger: true })),
    { query: "two", should_trigger: false },
    { query: "new one", should_trigger: true },
  ]);
  world.script({ answers: [{ pattern: "open", skills: ["faq"] }], default: { skills: ["refund"] } });
  await run("--no-cache");
  const [target] = (await json()).targets;
  expect(target).toMatchObject({
    n: 7,
    leftOut: { relabelled: 1 },
    only: { before: [{ prompt: "one" }], now: [{ prompt: "new one" }] },
  });
  expect((await compare()).stdout).toContain("shown apart: 1 question only before, 1 question only now");
});

test("a skill that goes and leaves its questions behind is never green: they are shown, and nothing is known of them", async () => {
  world.write("evals/refund/triggers.json", {
    skill_name: "refund",
    triggers: prompts.map((query) => ({ query, should_trigger: true })),
  });
  world.skill("refund");
  world.skill("faq", [{ query: "When are you open?", should_trigger: true }]);
  world.script({ answers: [{ query: prompts, skills: ["refund"] }], default: { skills: ["faq"] } });
  await run();
  rmSync(join(world.dir, "skills/refund"), { recursive: true });
  await run("--no-cache");
  const shown = await compare();
  expect(shown.code).toBe(3);
  expect(shown.stdout.replace(/\s+/g, " ")).toMatch(/no evidence of a change: .*; 8 questions can no longer be asked/);
  expect(shown.stdout).toMatch(/\? cannot be asked now {2}refund {2}"one".*\n {4}no skill "refund" in the library/);
  expect((await compare("--reporter", "markdown")).stdout).toMatch(/^❔ .*8 questions can no longer be asked/);
});

test("a description that lost its words meets no gate on change: what passed and cannot be told any more leaves it undecided", async () => {
  const asked = ["I want a refund for my order", "Refund the purchase of a customer", "Give the customer a refund"];
  const described =
    "Handles refunds. Use when a customer wants their money back, asks for a refund of an order or returns a purchase.";
  const describe = (text: string) =>
    world.skill(
      "refund",
      asked.map((query) => ({ query, should_trigger: true })),
      text,
    );
  world.skill(
    "invoice",
    [{ query: "Write an invoice for the client", should_trigger: true }],
    "Writes an invoice for a client.",
  );
  describe(described);
  await runMain(world.dir, ["run", "-q"]);
  describe("Helps with things.");
  await runMain(world.dir, ["run", "-q"]);
  expect((await compare()).code).toBe(0);
  const shown = await compare("--gate", "no-regression");
  expect(shown.code).toBe(3);
  expect(shown.stdout.replace(/\s+/g, " ")).toContain(
    "? gate no-regression: not decided, because 3 questions that passed have no verdict now: look at the edit, or ask a target that can tell",
  );
  const { targets, gates } = await json("--gate", "no-regression");
  expect(targets[0].lost).toMatchObject(asked.map((prompt) => ({ prompt, verdict: "unsure" })));
  expect(gates).toMatchObject([{ gate: "no-regression", status: "unmeasured", value: null }]);
  expect((await compare("--gate", "no-regression", "--reporter", "markdown")).stdout).toMatch(
    /^❔ [\s\S]*- ❔ .*not decided, because 3 /,
  );
});

test("what passed and could not be measured now is shown as such, and leaves a gate undecided", async () => {
  write(() => ["refund"]);
  await run();
  world.script({
    answers: [
      { query: "one", error: { reason: "crash", retryable: false } },
      { query: prompts, skills: ["refund"] },
    ],
    default: { skills: ["faq"] },
  });
  await run("--no-cache");
  const shown = await compare("--gate", "no-regression");
  expect(shown.code).toBe(3);
  expect(shown.stdout).toMatch(/\? no verdict now {2}refund {2}"one"/);
  expect(shown.stdout.replace(/\s+/g, " ")).toContain("; 1 that passed has no verdict now");
  expect(shown.stdout.replace(/\s+/g, " ")).toContain(
    "gate no-regression: not decided, because 1 question that passed has no verdict now: ask again",
  );
  expect((await compare("--reporter", "markdown")).stdout).toContain("**Has no verdict now**");
  expect((await compare("--reporter", "csv")).stdout).toContain("no verdict now");
  expect((await compare("--gate", "no-regression", "--min-coverage", "0.8")).code).toBe(0);
});

test("both runs are scored by the later one's rules, and where the earlier one had others that is said", async () => {
  write(() => ["refund"]);
  await run();
  await run("--no-cache", "--threshold", "0.9");
  const { stdout } = await compare();
  expect(stdout.replace(/\s+/g, " ")).toContain(
    "scoring --threshold 0.5 → 0.9; both are scored by the later run's rules",
  );
  expect(stdout).not.toContain("This mixes causes");
});

test("two different targets are compared where each run has one, and the target is what differed", async () => {
  write(() => ["refund"]);
  await run();
  world.script({ answers: [], default: { skills: ["refund"] } }, "others.yaml");
  await runMain(world.dir, ["run", "-q", "-t", "script:others.yaml"]);
  const compared = await json();
  expect(compared.targets[0]).toMatchObject({
    target: "script:others.yaml",
    against: "script:answers.yaml",
    causes: ["the target"],
  });
  expect(compared.targets[0].changes[0]).toBe("script:answers.yaml → script:others.yaml");
});

test("of two kinds of target it says that they are two, and that the skills are the same, and lists none of their insides", async () => {
  write(() => ["refund"]);
  await runMain(world.dir, ["run", "-q", "-t", "embedded", "--skill", "refund"]);
  await run();
  const shown = await compare("--no-color");
  expect(shown.stdout.split("\n").slice(1, 5)).toEqual([
    "what differed",
    expect.stringMatching(/^ {2}suites {2}different questions or checks; \S+-a asked only some \(--skill refund\)$/),
    "  target  embedded → script:answers.yaml, a different kind of target",
    "The skills are the same: whatever differs below is between embedded and script:answers.yaml.",
  ]);
});

test("of one target it says what is different about it; its name says the rest", async () => {
  write(() => ["refund"]);
  world.script({ model: "one", version: "1", default: { skills: ["refund"] } }, "first.yaml");
  world.script({ model: "two", version: "2", default: { skills: ["refund"] } }, "second.yaml");
  await runMain(world.dir, ["run", "-q", "-t", "script:first.yaml"]);
  await runMain(world.dir, ["run", "-q", "-t", "script:second.yaml"]);
  const [target] = (await json()).targets;
  expect(target.changes[0]).toBe("script:first.yaml → script:second.yaml");
  expect(target.changes).toContain("version 1 → 2");
  expect(target.changes).not.toContain("model one → two");
});

test("the same answers change nothing: exit 0, and no claim", async () => {
  write(() => ["refund"]);
  await run();
  await run();
  const shown = await compare();
  expect(shown.code).toBe(0);
  expect(shown.stdout).toMatch(/nothing was measured again: 9 questions with the same answers as the earlier\s+run/);
  expect(shown.stdout).toContain("nothing  skills, suites, targets and options are the same");
});

test("the same two records give the same bytes", async () => {
  write(() => ["refund"]);
  await run();
  write((prompt) => (prompt < "o" ? ["faq"] : ["refund"]));
  await run("--no-cache");
  expect(await compare("--json")).toEqual(await compare("--json"));
  expect(await compare("--verbose")).toEqual(await compare("--verbose"));
});

describe("a record that is not whole", () => {
  const record = (run: string) => join(world.dir, ".proctor/runs", run, "record.jsonl");
  let runs: string[];
  beforeEach(async () => {
    write(() => ["refund"]);
    await run();
    await run("--no-cache");
    const { before, now } = await json();
    runs = [before.run, now.run];
  });

  test("truncated, it is compared as far as it goes, and never green", async () => {
    const file = record(runs[1]!);
    truncateSync(file, readFileSync(file).length - 900);
    const shown = await compare();
    expect(shown).toMatchObject({ code: 3, stdout: expect.stringMatching(/-b is incomplete: it has no end/) });
  });

  test("damaged, it says how much", async () => {
    const file = record(runs[0]!);
    const lines = readFileSync(file, "utf8").split("\n");
    lines[12] = lines[12]!.replace('"trial"', '"trail"');
    writeFileSync(file, lines.join("\n"));
    expect(await compare()).toMatchObject({
      code: 3,
      stdout: expect.stringMatching(/-a is incomplete: 1 line of its record is damaged/),
    });
  });

  test("newer than this Proctor, foreign, or missing: an error that says so", async () => {
    const file = record(runs[0]!);
    writeFileSync(file, readFileSync(file, "utf8").replace(/"version":\d+/, '"version":99'));
    expect(await compare()).toMatchObject({ code: 2, stdout: "", stderr: expect.stringMatching(/version 99|newer/) });
    writeFileSync(file, '{"hello":"world"}\n');
    expect(await compare(runs[0]!, runs[1]!)).toMatchObject({ code: 2, stderr: expect.stringMatching(/record.jsonl/) });
    expect(await compare("2020-01-01-a", runs[1]!)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("There is no run"),
    });
    const neither = await compare("2020-01-01-a", "2020-01-02-b");
    expect(neither).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringMatching(/no run `2020-01-01-a`.*no run `2020-01-02-b`/),
    });
    expect(neither.stderr.match(/The newest are/g)).toHaveLength(1);
    expect((await compare("2020-01-01-a", "2020-01-01-a")).stderr.match(/There is no run/g)).toHaveLength(1);
    expect(await compare("a", "b", "c")).toMatchObject({ code: 2, stderr: expect.stringContaining("takes two runs") });
  });
});
