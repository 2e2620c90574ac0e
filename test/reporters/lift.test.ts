import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createColors } from "picocolors";
import { afterEach, beforeEach, expect, test } from "vitest";
import { renderReport, reportSchema, trialText } from "../../src/reporters/index.ts";
import { renderTerminal } from "../../src/reporters/terminal/index.ts";
import { type RunResult, run, trials } from "../../src/verbs/index.ts";
import { World } from "../world.ts";

let world: World;
beforeEach(() => {
  world = new World();
  world.skill("letters");
  world.write("skills/letters/evals/evals.json", {
    evals: ["helps", "both"].map((id) => ({
      id,
      name: `Case ${id}`,
      prompt: `Please ${id}`,
      assertions: [{ type: "contains", value: "good" }],
    })),
  });
});
afterEach(() => world.remove());

test("the report gives the difference with its interval, what each case comes to, and what the skill costs", async () => {
  world.script({
    answers: [
      {
        query: "Please helps",
        skills: ["letters"],
        text: "good",
        cost: 0.2,
        without_skill: { text: "bad", cost: 0.1 },
      },
      { query: "Please both", text: "good", cost: 0.2, without_skill: { text: "good", cost: 0.1 } },
    ],
  });
  const { scores } = await world.sit({ baseline: "without", runs: 2 });
  const report = JSON.parse(renderReport("json", scores));
  expect(reportSchema.parse(report)).toEqual(report);
  expect(report.targets[0].lift.cases).toMatchObject([{ mark: "helps" }, { mark: "passes both ways" }]);
  expect(renderReport("markdown", scores)).toMatch(
    /\n- `script\S*`: lift, compared `without the skill`: \+0\.50 \[[^\]]+\] over 2 cases\n/,
  );
  const text = renderTerminal(scores, { width: 140 });
  expect(text).toMatch(/lift, compared without the skill: \+0\.50 \[[^\]]+\] over 2 cases/);
  expect(text).toContain("$0.2000 a trial against $0.1000 (2.0 times)");
  expect(text).toMatch(
    /Case helps\s+\+1\.00 \[.*\]\s+2\/2 against 0\/2\s+passes only with it, in too few runs to be sure/,
  );
  expect(text).toMatch(
    /Case both\s+.*2\/2 against 2\/2\s+passes both ways: it measures nothing; the skill was never loaded/,
  );
});

test("that the skill helps is claimed where the interval says so, and nothing is listed where nothing was compared", async () => {
  world.script({
    answers: [
      { query: "Please helps", skills: ["letters"], text: "good", without_skill: { text: "bad" } },
      { query: "Please both", error: "timeout" },
    ],
  });
  const { scores } = await world.sit({ baseline: "without", runs: 8, retries: 0 });
  expect(renderTerminal(scores, { width: 140 })).toMatch(/Case helps\s+\+1\.00 \[\+.*\]\s+8\/8 against 0\/8\s+helps\n/);
  world.script({ default: { error: "timeout" } });
  const none = renderTerminal((await world.sit({ baseline: "without", runs: 1, retries: 0, cache: false })).scores, {
    width: 140,
  });
  expect(none).toContain("lift, compared without the skill: nothing could be compared\n");
  expect(none).not.toMatch(/Case (helps|both)\s+—/);
});

test("the trials of a case show every check, and which of them were only asked for comparison", async () => {
  world.script({
    answers: [{ query: "Please helps", skills: ["letters"], text: "good", without_skill: { text: "bad" } }],
    default: { text: "good" },
  });
  const { place } = await world.sit({ baseline: "without", runs: 1 });
  const { trials: shown } = await trials({ cwd: world.dir, run: place.dir, text: "case HELPS" });
  const options = { colors: createColors(false), width: 160, verbose: false };
  const texts: string[] = [];
  for await (const trial of shown) texts.push(trialText(trial, options));
  expect(texts).toHaveLength(2);
  expect(texts.find((text) => !text.includes("for comparison"))).toMatch(
    /^Case helps: "Please helps" {2}\S+\n {2}script\S* run 1: letters [^\n]+\n {2}✓ contains: the reply contains "good"\n/,
  );
  expect(texts.find((text) => text.includes("for comparison"))).toMatch(
    /run 1, for comparison without the skill: [^\n]+\n {2}✗ contains: the reply does not contain "good"\n/,
  );
});

test("cases that nobody was asked say why, and who could be", async () => {
  const [{ scores }] = (await run({ cwd: world.dir, targets: ["embedded"], only: "cases", env: {} })) as [RunResult];
  const text = renderTerminal(scores, { width: 120 });
  expect(text).toContain("not asked: 2 (it only reads cards and runs nothing)");
  expect(text).toMatch(/\nnext: ask a real agent: proctor run -t claude:haiku/);
  expect(text).not.toContain("--resume");
});

test("a case that fails is called by its name", async () => {
  world.script({ default: { text: "bad" } });
  const { scores } = await world.sit({ runs: 1 });
  const text = renderTerminal(scores, { width: 120 });
  expect(text).toMatch(/✗ letters\s+should pass its checks\s+"Case helps"\n/);
});

test("a case without a name is called by the id that its author gave it, if that says something", async () => {
  const graders = { assertions: [{ type: "contains", value: "good" }] };
  world.write("skills/letters/evals/evals.json", {
    evals: [
      { id: "late-parcel", prompt: "Please helps", ...graders },
      { id: 2, prompt: "Please both", ...graders },
      { prompt: "Please all", ...graders },
    ],
  });
  world.script({ default: { text: "bad" } });
  const { scores } = await world.sit({ runs: 1 });
  expect(scores.targets[0]?.questions.map(({ name }) => name)).toEqual(["late-parcel", undefined, undefined]);
  expect(renderTerminal(scores, { width: 140 })).toMatch(/should pass its checks\s+"late-parcel"/);
});

test("a case that passes says by what it could not be checked; one grader that was applied in a single trial is enough to count", async () => {
  world.write("skills/letters/evals/evals.json", {
    evals: [
      {
        id: "helps",
        name: "Case helps",
        prompt: "Please helps",
        assertions: [
          { type: "contains", value: "good" },
          { type: "file_exists", path: "x" },
        ],
        graders: [{ type: "their_own", name: "house style", config: {} }],
      },
      { id: "both", name: "Case both", prompt: "Please both", assertions: [{ type: "contains", value: "good" }] },
    ],
  });
  world.script({ default: { text: "good" } });
  const { scores } = await world.sit({ runs: 2 });
  expect(scores.targets[0]?.questions.map(({ verdict, unchecked }) => [verdict, unchecked])).toEqual([
    [
      "pass",
      [
        "file_exists: this target has no workspace, so there are no files to look at",
        "house style: not checked: there is no grader `their_own`",
      ],
    ],
    ["pass", undefined],
  ]);
  const text = renderTerminal(scores, { width: 200 });
  expect(text).toContain(
    "1 of 2 cases that pass could be checked only in part:\n  Case helps  file_exists: this target has",
  );
  const report = JSON.parse(renderReport("json", scores));
  expect(reportSchema.parse(report)).toEqual(report);
});

/** Codex, as far as it loads its skill for one of the cases. */
const codex = `#!${process.execPath}
const fs = require("node:fs");
if (process.argv[2] === "--version") { console.log("codex-cli 0.166.0"); process.exit(0); }
const loads = fs.readFileSync(0, "utf8").includes("helps");
const dir = process.env.CODEX_HOME + "/sessions/2026";
fs.mkdirSync(dir, { recursive: true });
const item = (payload) => fs.appendFileSync(dir + "/rollout-1.jsonl", JSON.stringify({ timestamp: "2026", type: "response_item", payload }) + "\\n");
const output = loads ? fs.readFileSync(".agents/skills/letters/SKILL.md", "utf8") : "";
item({ type: "function_call", name: "exec_command", call_id: "c", arguments: JSON.stringify({ cmd: loads ? "cat .agents/skills/letters/SKILL.md" : "true" }) });
item({ type: "function_call_output", call_id: "c", output: "Process exited with code 0\\nOutput:\\n" + output });
item({ type: "message", role: "assistant", content: [{ type: "output_text", text: "good" }] });
console.log(JSON.stringify({ type: "turn.completed", usage: { input_tokens: 1, output_tokens: 1 } }));
`;

test.skipIf(process.platform === "win32")(
  "a case on an agent in which the skill was never loaded says so next to its score",
  async () => {
    writeFileSync(join(world.dir, "codex"), codex);
    chmodSync(join(world.dir, "codex"), 0o755);
    world.env = {
      PATH: process.env["PATH"] ?? "",
      PROCTOR_CODEX_PATH: join(world.dir, "codex"),
      CODEX_API_KEY: "sk-dummy",
    };
    world.write("proctor.config.json", {
      targets: [{ target: "codex:m", options: { canary: false, sandbox: "off" } }],
    });
    const { scores } = await world.sit({ targets: ["codex:m"], runs: 1 });
    expect(scores.targets[0]?.questions.map(({ name, verdict, neverLoaded }) => [name, verdict, neverLoaded])).toEqual([
      ["Case helps", "pass", undefined],
      ["Case both", "pass", true],
    ]);
    expect(renderTerminal(scores, { width: 140 })).toContain(
      "in 1 of 2 cases the skill was never loaded, so their scores are not its doing: Case both",
    );
    const report = JSON.parse(renderReport("json", scores));
    expect(reportSchema.parse(report)).toEqual(report);
  },
);
