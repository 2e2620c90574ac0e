import { chmodSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { loadConfig } from "../../src/base/options/index.ts";
import type { RecordPlace } from "../../src/exam/record/index.ts";
import { regradeRecord } from "../../src/history/index.ts";
import type { TrialLine } from "../../src/model/index.ts";
import { run as runExam } from "../../src/verbs/index.ts";
import { editRecord } from "../edit-record.ts";
import { replyOf, startRawModel } from "../targets/models/raw-model.ts";
import { essence, readSat, type Sat, World } from "../world.ts";

let world: World;
beforeEach(() => {
  world = new World();
  world.skill("alpha", [
    { query: "load alpha", should_trigger: true },
    { query: "nothing", should_trigger: false },
  ]);
  world.skill("beta", [{ query: "load beta", should_trigger: true }]);
});
afterEach(() => world.remove());

describe("a run that is graded again", () => {
  beforeEach(() => {
    writeCases("Dear Ada");
    world.script({
      answers: [
        { pattern: "^load alpha", skills: ["alpha"] },
        { pattern: "^load beta", skills: ["beta"] },
        { pattern: "Greet", text: "Dear Ada, hello." },
        { pattern: "warm", text: "Hello." },
      ],
    });
  });

  test("comes out as it did, under a name of its own that says where it is from", async () => {
    const before = await world.sit({ cache: false });
    const { place, changed, trials } = await regrade(before.place);
    const after = await readSat(place);
    expect({ changed, trials }).toEqual({ changed: 0, trials: before.trials.length });
    expect(essence(after)).toEqual(essence(before));
    expect(after.questions.filter(({ kind }) => kind === "case")).toHaveLength(2);
    expect(after.header.run).not.toBe(before.header.run);
    expect(after.header.options).toMatchObject({ label: `regraded from ${before.header.run}` });
    expect(after.lines.at(-1)).toMatchObject({ type: "footer", how: "complete" });
  });

  test("has the checks its trials deserve, whatever the record said", async () => {
    const before = await world.sit({ cache: false });
    const wrong = { passed: false, score: 0, message: "graded by a broken grader" };
    tamper(before.place, (trial) => ({
      ...trial,
      checks: trial.checks.map((check) => (check.passed === null ? check : { ...check, ...wrong })),
    }));
    const { place, changed } = await regrade(before.place);
    expect(changed).toBeGreaterThan(3);
    expect(essence(await readSat(place))).toEqual(essence(before));
  });

  test("keeps the checks that need a judge, and says so; the others follow the suite as it is now", async () => {
    const server = await startRawModel(() => ({ body: replyOf("ollama", "VERDICT=TRUE REASON=Hello is warm.") }));
    onTestFinished(() => server.close());
    world.env = { OLLAMA_BASE_URL: `${server.url}/v1` };
    const before = await world.sit({ cache: false, judge: "ollama/qwen3" });
    expect((await regrade(before.place)).kept).toEqual({ "it needs a judge (--judge MODEL asks one)": 1 });
    writeCases("Dear Bob");
    expect(await regrade(before.place)).toMatchObject({
      changed: 1,
      kept: { "it needs a judge (--judge MODEL asks one)": 1 },
    });
  });

  test("cannot be read again where no agent answered, and says so", async () => {
    const before = await world.sit({ cache: false, only: "triggers", runs: 1 });
    const { notes, place } = await regrade(before.place, true);
    expect(notes).toEqual(["script:answers.yaml is no agent and has no raw output"]);
    expect(essence(await readSat(place))).toEqual(essence(before));
  });
});

describe("the raw output of an agent", () => {
  test("is read again with --reparse: what an older adapter missed or failed on is found", async () => {
    const before = await askClaude();
    expect(before.scores.targets[0]!.questions.map(({ verdict }) => verdict)).toEqual(["pass", "pass", "pass"]);
    tamper(before.place, (trial) =>
      trial.activations.length === 0
        ? {
            ...trial,
            error: { reason: "unparseable", message: "an event of a new kind", retryable: false },
            how: "error",
            checks: [],
          }
        : { ...trial, activations: [], checks: trial.checks.map((check) => ({ ...check, passed: false })) },
    );
    expect((await readSat((await regrade(before.place)).place)).exit).not.toBe(0);
    const { place, changed, notes } = await regrade(before.place, true);
    expect({ changed, notes }).toEqual({ changed: 3, notes: [] });
    const after = await readSat(place);
    expect(essence(after)).toEqual(essence(before));
    expect(after.trials.map(({ activations }) => activations)).toEqual(
      before.trials.map(({ activations }) => activations),
    );
  });

  test("that is missing is named trial by trial, and the trial stays as it was recorded", async () => {
    const before = await askClaude();
    tamper(before.place, ({ raw, ...trial }) =>
      trial.activations[0]?.skill === "alpha" ? trial : { ...trial, ...(raw && { raw }) },
    );
    const { notes, place } = await regrade(before.place, true);
    expect(notes).toEqual(['claude:haiku run 1 of "load alpha": its raw output is not in the record']);
    expect(essence(await readSat(place))).toEqual(essence(before));
  });

  test("stays with the new run, so that it can be read once more", async () => {
    const { place } = await regrade((await askClaude()).place, true);
    expect((await regrade(place, true)).notes).toEqual([]);
  });
});

function writeCases(greeting: string): void {
  world.write("skills/alpha/evals/evals.json", {
    skill_name: "alpha",
    evals: [
      { name: "greets", prompt: "Greet Ada.", graders: [{ type: "contains", config: { value: greeting } }] },
      { name: "judged", prompt: "Be warm.", assertions: ["It is warm."] },
    ],
  });
}

async function regrade(place: RecordPlace, reparse = false) {
  return regradeRecord(place, { home: world.dir, config: await loadConfig({ cwd: world.dir, env: {} }), reparse });
}

/** As an older version would have written it. */
function tamper({ file }: RecordPlace, change: (trial: TrialLine) => TrialLine): void {
  editRecord(file, (lines) => lines.map((line) => (line.type === "trial" ? change(line) : line)));
}

/** A run of a CLI that speaks as Claude Code does and loads what its prompt names. */
async function askClaude(): Promise<Sat> {
  world.write(
    "fake-claude",
    `#!${process.execPath}
if (process.argv[2] === "--version") { console.log("2.1.300"); process.exit(0); }
const say = (event) => console.log(JSON.stringify(event));
const skill = /load (\\w+)/.exec(require("node:fs").readFileSync(0, "utf8"))?.[1];
say({ type: "system", subtype: "init", model: "claude-haiku-4-5" });
if (skill) {
  say({ type: "assistant", message: { id: "m1", content: [{ type: "tool_use", id: "t1", name: "Skill", input: { skill } }] } });
  say({ type: "user", message: { content: [{ type: "tool_result", tool_use_id: "t1", content: "Launching skill: " + skill }] } });
}
say({ type: "assistant", message: { id: "m2", content: [{ type: "text", text: "Done." }] } });
say({ type: "result", subtype: "success", is_error: false, result: "Done.", usage: { input_tokens: 10, output_tokens: 2 }, total_cost_usd: 0.01 });
`,
  );
  const file = join(world.dir, "fake-claude");
  chmodSync(file, 0o755);
  const env = { PATH: process.env["PATH"], PROCTOR_CLAUDE_PATH: file, ANTHROPIC_API_KEY: "dummy-key" };
  const agentOptions = { canary: false, sandbox: "off" };
  const [run] = await runExam({
    cwd: world.dir,
    targets: ["claude:haiku"],
    agentOptions,
    runs: 1,
    cache: false,
    env,
    config: {},
  });
  return readSat(run!.record);
}
