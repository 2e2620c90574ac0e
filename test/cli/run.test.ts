import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { World } from "../world.ts";
import { buildCommand, runCommand } from "./run-built.ts";
import { runMain } from "./run-main.ts";

let world: World;
beforeEach(() => {
  world = new World();
  world.skill("refund", [
    { query: "I want my money back", should_trigger: true },
    { query: "Where is my parcel?", should_trigger: false },
  ]);
  world.script({ answers: [{ query: "I want my money back", skills: ["refund"] }], default: { skills: [] } });
});
afterEach(() => world.remove());

const proctor = (args: string[], env?: Record<string, string>) => runMain(world.dir, args, env);
const script = ["-t", "script:answers.yaml"];

describe("exit codes", () => {
  const wrong = { answers: [], default: { skills: [] } };
  const right = { answers: [{ query: "I want my money back", skills: ["refund"] }], default: { skills: [] } };
  const errors = { default: { error: "auth" } };
  test.each<[string, number, { script?: object; args?: string[]; edit?: () => void }]>([
    ["all questions pass", 0, {}],
    ["a question fails", 1, { script: wrong }],
    ["a question fails, but the gates hold", 0, { script: wrong, args: ["--gate", "fpr<=0.5"] }],
    ["a gate is breached although it passes elsewhere", 1, { script: wrong, args: ["--gate", "recall>=0.9"] }],
    ["nothing was measured", 3, { script: errors }],
    ["nothing was measured, and nobody minds", 0, { script: errors, args: ["--min-coverage", "0"] }],
    ["an unknown target", 2, { args: ["-t", "nobody:home"] }],
    ["an unknown skill", 2, { args: ["--skill", "refnd"] }],
    ["an unknown flag", 2, { args: ["--what"] }],
    ["a gate that is none", 2, { args: ["--gate", "recal>=1"] }],
    ["a gate on an unknown skill", 2, { args: ["--gate", "skill:refnd score>=0.8"] }],
    ["a gate on a target that is not asked", 2, { args: ["--gate", "target:embedded score>=0.8"] }],
    ["no question matches", 3, { args: ["--grep", "nobody says this"] }],
    ["an unknown path", 2, { args: ["skills/nope"] }],
    ["a path without a question", 3, { args: ["skills/orders"], edit: () => world.skill("orders") }],
    ["skills, and no suite", 3, { edit: () => rmSync(join(world.dir, "skills/refund/evals"), { recursive: true }) }],
    ["a reporter that is none", 2, { args: ["--reporter", "jsn"] }],
    ["a configuration with an unknown key", 2, { edit: () => world.write("proctor.config.yaml", "jbos: 3\n") }],
    ["a suite that cannot be read", 2, { edit: () => world.write("skills/refund/evals/triggers.json", "[{") }],
    ["no budget for anything", 3, { args: ["--max-trials", "0"] }],
    [
      "a budget for a target of unknown cost",
      2,
      { script: { default: { skills: [] }, cost_per_trial: "unknown" }, args: ["--budget", "1"] },
    ],
    ["a plan alone", 0, { script: wrong, args: ["--dry-run"] }],
    ["predictions that fail", 0, { script: { ...wrong, predicted: true } }],
    [
      "a gate that somebody types on predictions",
      2,
      { script: { ...wrong, predicted: true }, args: ["--gate", "recall>=0.8"] },
    ],
    ["the same, although it would hold", 2, { script: { ...right, predicted: true }, args: ["--gate", "recall>=0.8"] }],
    [
      "a gate on predictions that may decide",
      1,
      { script: { ...wrong, predicted: true }, args: ["--gate", "recall>=0.8", "--allow-predicted"] },
    ],
    [
      "a gate of the configuration, on predictions",
      0,
      {
        script: { ...wrong, predicted: true },
        edit: () => world.write("proctor.config.yaml", "gates: ['recall>=0.8']\n"),
      },
    ],
    ["predictions that fail and may decide", 1, { script: { ...wrong, predicted: true }, args: ["--allow-predicted"] }],
  ])("%s: %i", async (_what, code, { script: answers, args = [], edit }) => {
    if (answers) world.script(answers);
    edit?.();
    const ended = await proctor(["run", ...script, ...args]);
    expect(ended).toMatchObject({ code });
    if (code === 2) expect(ended.stderr).toMatch(/\S/);
    if (code === 2) expect(existsSync(join(world.dir, ".proctor"))).toBe(false);
    expect(ended.stderr).not.toMatch(/fault in Proctor|\n {4}at /);
  });
});

describe("a gate on predictions decides or is refused, however it is given:", () => {
  const predicted = { answers: [], default: { skills: [] }, predicted: true };
  const gate = "gates: ['recall>=0.8']\n";
  const own = "targets: ['script:answers.yaml']\n";
  test.each([
    { what: "a variable", env: { PROCTOR_GATES: "recall>=0.8" }, args: script, code: 2 },
    {
      what: "a variable that may decide",
      env: { PROCTOR_GATES: "recall>=0.8", PROCTOR_ALLOW_PREDICTED: "1" },
      args: script,
      code: 1,
    },
    { what: "a configuration, beside its targets", config: `${own}${gate}`, args: [], code: 2 },
    {
      what: "a configuration that lets them decide",
      config: `${own}${gate}allow_predicted: true\n`,
      args: [],
      code: 1,
    },
    { what: "a configuration, for other targets than its own", config: gate, args: script, code: 0 },
  ])("$what: $code", async ({ env, config, args, code }) => {
    world.script(predicted);
    if (config !== undefined) world.write("proctor.config.yaml", config);
    const ended = await runMain(world.dir, ["run", ...args], env);
    expect(ended).toMatchObject({ code });
    if (code === 2) expect(ended.stderr).toContain("would decide nothing");
  });

  test("a variable that is nearly called so is no silence", async () => {
    expect(await runMain(world.dir, ["run", ...script], { PROCTOR_GATE: "recall>=0.8" })).toMatchObject({
      code: 2,
      stderr: "proctor: PROCTOR_GATE is not a variable of Proctor.\n  Did you mean PROCTOR_GATES?\n",
    });
  });
});

test("the command as it is shipped ends with the same code and says the same", async () => {
  const built = await buildCommand();
  onTestFinished(() => built.remove());
  for (const args of [["run", ...script], ["run", ...script, "--gate", "recall>=2"], ["report"], ["run", "--what"]]) {
    const { signal, ...shipped } = await runCommand(built, world.dir, args);
    const { code, stdout, stderr } = await proctor(args);
    expect(signal).toBeNull();
    expect({ code: shipped.code, stderr: shipped.stderr }).toEqual({ code, stderr });
    expect(shipped.stdout.split("\n")[0]).toBe(stdout.split("\n")[0]);
  }
});

test("nothing is asked when the only file is invalid, and its place is shown", async () => {
  world.write("skills/refund/evals/triggers.json", '[\n  { "query": "x", "should_trigger": }\n]');
  const { stderr, code } = await proctor(["run", ...script]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/skills\/refund\/evals\/triggers\.json:2/);
  expect(existsSync(join(world.dir, ".proctor"))).toBe(false);
});

describe("a bad file stops nothing but itself:", () => {
  beforeEach(() => world.write("skills/orders/evals/triggers.json", '[\n  { "query": "x", "should_trigger": }\n]'));

  test("the rest is asked, the file is shown at the end, and the code is 2", async () => {
    const { stdout, stderr, code } = await proctor(["run", ...script]);
    expect(code).toBe(2);
    expect(stdout).toMatch(/2 questions/);
    expect(stderr).toMatch(/skills\/orders\/evals\/triggers\.json:2/);
    expect(stderr).toMatch(/--keep-going/);
    expect(existsSync(join(world.dir, ".proctor"))).toBe(true);
  });

  test("with --keep-going the code is that of what was asked", async () => {
    expect((await proctor(["run", ...script, "--keep-going"])).code).toBe(0);
    world.script({ default: { skills: [] } });
    expect((await proctor(["run", ...script, "--keep-going"])).code).toBe(1);
  });

  test("a failure beside it is 2 all the same", async () => {
    world.script({ default: { skills: [] } });
    expect((await proctor(["run", ...script])).code).toBe(2);
  });
});

describe("a case whose file is missing", () => {
  const evals = (files: Record<string, string[]>) => ({
    evals: Object.entries(files).map(([id, list]) => ({
      id,
      prompt: `Do ${id}`,
      files: list,
      graders: [{ type: "contains", config: { value: "done" } }],
    })),
  });
  beforeEach(() => {
    world.script({
      answers: [{ query: "I want my money back", skills: ["refund"] }],
      default: { skills: [], text: "done" },
    });
    world.write("skills/refund/evals/evals.json", evals({ good: [], bad: ["files/gone.txt"] }));
  });

  test("is invalid, with its place, and no other question is", async () => {
    const { stderr, code } = await proctor(["run", ...script, "--reporter", "json=out.json"]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/evals\.json:\d+:\d+ {2}error {2}The file "files\/gone\.txt" does not exist/);
    const { targets } = JSON.parse(readFileSync(join(world.dir, "out.json"), "utf8"));
    const status = targets[0].questions.map(
      (one: { id: string; status: string }) => `${one.id.split("#")[1]} ${one.status}`,
    );
    expect(status.filter((one: string) => one.endsWith("invalid"))).toEqual(["bad invalid"]);
    expect(status.filter((one: string) => one.endsWith("asked"))).toHaveLength(3);
  });

  test.each([
    ["--only", "triggers"],
    ["--case", "good"],
    ["--skill", "refund", "--grep", "money"],
  ])("is no matter with %s %s", async (...args) => {
    const { stderr, code } = await proctor(["run", ...script, ...args]);
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.not.stringContaining("gone.txt") });
  });

  test("is no matter for a target that is asked no cases", async () => {
    expect((await proctor(["run", "-t", "embedded"])).stderr).not.toMatch(/gone\.txt/);
  });
});

test("the report of a pipe has no control codes, and says what failed and where", async () => {
  world.script({ default: { skills: [] } });
  const { stdout } = await proctor(["run", ...script]);
  expect(stdout).not.toMatch(/\x1b/);
  expect(stdout).toMatch(/1 of 2 questions fail/);
  expect(stdout).toMatch(/triggers\.json:\d+/);
  expect(stdout).toMatch(/record \.proctor\/runs\/\d{4}-\d\d-\d\d-a/);
});

test("--reporter writes a versioned JSON file, and proctor report renders the same again", async () => {
  await proctor(["run", ...script, "--reporter", "json=out/first.json"]);
  await proctor(["report", "--reporter", "json=out/second.json"]);
  const first = readFileSync(join(world.dir, "out/first.json"), "utf8");
  expect(JSON.parse(first)).toMatchObject({ version: expect.any(Number) });
  expect(readFileSync(join(world.dir, "out/second.json"), "utf8")).toBe(first);
});

test("proctor report needs nothing but the record", async () => {
  await proctor(["run", ...script]);
  const run = readdirSync(join(world.dir, ".proctor", "runs"))[0]!;
  rmSync(join(world.dir, "skills"), { recursive: true });
  expect((await proctor(["report", run])).stdout).toMatch(/refund/);
  expect((await proctor(["report", join(world.dir, ".proctor", "runs", run, "record.jsonl")])).code).toBe(0);
  expect((await proctor(["report", "2000-01-01-a"])).code).toBe(2);
});

test("a dry run shows trials, time and dollars from earlier records, and asks nothing", async () => {
  world.script({ default: { skills: [], cost: 0.5 } });
  await proctor(["run", ...script, "--no-cache"]);
  const before = readdirSync(join(world.dir, ".proctor", "runs"));
  const { stdout } = await proctor(["run", ...script, "--dry-run"]);
  expect(stdout).toMatch(/script:answers\.yaml +2 +4 to 6/);
  expect(stdout).toMatch(/\$2\.00 to \$3\.00/);
  expect(readdirSync(join(world.dir, ".proctor", "runs"))).toEqual(before);
});

test("shards are put together by proctor merge", async () => {
  const whole = await proctor(["run", ...script, "--no-cache", "--reporter", "json=whole.json"]);
  expect(whole.code).toBe(0);
  for (const shard of ["1/2", "2/2"]) await proctor(["run", ...script, "--no-cache", "--shard", shard]);
  const runs = readdirSync(join(world.dir, ".proctor", "runs")).sort();
  const merged = await proctor(["merge", runs[2]!, runs[1]!]);
  expect(merged).toMatchObject({ code: 0, stderr: "" });
  expect(merged.stdout).toMatch(/2 questions/);
  const half = await proctor(["merge", runs[1]!]);
  expect(half.stderr).toMatch(/Missing: shard 2\. What it asks/);
  expect(half.code).toBe(3);
  const again = await proctor(["report", "--reporter", "terminal,json=half.json"]);
  expect(again).toMatchObject({ code: 3, stdout: expect.stringMatching(/shard 2 missing/) });
  expect(JSON.parse(readFileSync(join(world.dir, "half.json"), "utf8"))).toMatchObject({
    exitCode: 3,
    run: { missingShards: [2] },
  });
});

test("--failed asks what did not pass last time", async () => {
  world.script({ default: { skills: ["refund"] } });
  await proctor(["run", ...script]);
  const { stdout } = await proctor(["run", ...script, "--failed"]);
  expect(stdout).toMatch(/1 question/);
  expect(stdout).toMatch(/partial/);
});

test("secrets of the environment are nowhere below .proctor", async () => {
  const secret = "correct-horse-battery-staple-9";
  world.script({ default: { skills: [], text: `the key is ${secret}` } });
  await proctor(["run", ...script], { SOME_API_KEY: secret });
  const files = readdirSync(join(world.dir, ".proctor"), { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  expect(files.length).toBeGreaterThan(1);
  for (const file of files) expect(readFileSync(join(file.parentPath, file.name), "utf8")).not.toContain(secret);
});

test("a record that cannot be written is a clear error", async () => {
  writeFileSync(join(world.dir, ".proctor"), "in the way");
  const { code, stderr } = await proctor(["run", ...script]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/\.proctor/);
  expect(stderr).not.toMatch(/fault in Proctor/);
});

test("a run can be resumed by its name, by nothing, and before a path", async () => {
  await proctor(["run", ...script, "--runs", "2"]);
  for (const args of [
    ["--resume"],
    ["--resume", readdirSync(join(world.dir, ".proctor", "runs"))[0]!],
    ["--resume", "."],
  ]) {
    const { code, stderr } = await proctor(["run", ...args]);
    expect([code, stderr]).toEqual([0, expect.stringMatching(/Nothing is missing from run/)]);
  }
  expect(readdirSync(join(world.dir, ".proctor", "runs"))).toHaveLength(1);
});

test("a dry run counts positives, negatives and cases as the run does", async () => {
  world.skill("orders", [{ query: "I want my cash back", should_trigger: false, expected_skill: "refund" }]);
  world.write("skills/orders/evals/evals.json", {
    skill_name: "orders",
    evals: [{ id: 1, prompt: "Where is it?", expected_output: "A place", assertions: ["It names a place"] }],
  });
  const kinds = /\d+ questions: .*? an agent/;
  const asked = async (...more: string[]) =>
    kinds.exec((await proctor(["run", "-t", "embedded", ...more])).stdout.replaceAll("\n", " "))?.[0];
  const planned = await asked("--dry-run");
  expect(planned).toBe("3 questions: 1 should activate, 2 should not; 1 case needs an agent");
  expect(await asked()).toBe(planned);
});

test("a library below the working directory is shown, and offered in commands, from there", async () => {
  world.write("shop/proctor.config.yaml", "jobs: 2\n");
  world.write("shop/skills/parcel/SKILL.md", "---\nname: parcel\ndescription: Finds parcels.\n---\n");
  world.write(
    "shop/skills/refund/SKILL.md",
    "---\nname: refund\ndescription: The customer wants their money back.\n---\n",
  );
  world.write("shop/skills/parcel/evals/triggers.json", [{ query: "I want my money back", should_trigger: true }]);
  const { stdout } = await proctor(["run", "shop", "-t", "embedded"]);
  expect(stdout).toMatch(/ shop\/skills\/parcel\/evals\/triggers\.json:\d/);
  expect(stdout).toMatch(/next: proctor route "I want my money back" shop\b/);
});

test("questions that are still drafts, and skills without any, are named", async () => {
  world.skill("orders");
  world.write("skills/refund/evals/triggers.json", [
    { query: "I want my money back", should_trigger: true, draft: true },
    { query: "Where is my parcel?", should_trigger: false },
  ]);
  const { stdout } = await proctor(["run", ...script]);
  expect(stdout).toMatch(/1 of 2 questions is a draft that nobody has edited: not asked beside the others/);
  expect(stdout).toMatch(/1 skill of the library has no question \(orders\)/);
});

test("the command a run proposes asks the same target the same questions", async () => {
  world.skill("orders", [{ query: "Where is my order?", should_trigger: true }]);
  world.script({ answers: [{ query: "I want my money back", skills: ["refund"] }], default: { skills: [] } });
  const first = await proctor(["run", "skills/refund", ...script, "--only", "triggers", "--runs", "2"]);
  expect(first.stdout).toMatch(/2 questions: 1 should activate, 1 should not/);
  const words = /^next: to enforce this in CI: proctor (.*)$/m.exec(first.stdout)![1]!.replaceAll("'", "").split(" ");
  const second = await proctor(words);
  expect(second.code).toBe(0);
  expect(second.stdout).toMatch(/2 questions: 1 should activate, 1 should not/);
  expect(second.stdout).toMatch(/\bscript:answers\.yaml: /);
  expect(second.stdout).toMatch(/✓ gate /);
});

describe("--failed", () => {
  test("takes the newest run on the same targets, whatever ran since", async () => {
    world.script({ default: { skills: ["refund"] } });
    await proctor(["run", ...script]);
    await proctor(["run", "-t", "embedded"]);
    const { stdout } = await proctor(["run", ...script, "--failed"]);
    expect(stdout).toMatch(/1 question: 1 should not activate/);
  });

  test("is refused where no run on these targets is kept", async () => {
    await proctor(["run", "-t", "embedded"]);
    expect(await proctor(["run", ...script, "--failed"])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/No run on script:answers\.yaml is kept/),
    });
  });
});

test("a report is held against a gate on a skill or target that the run knows, or refused with the nearest name", async () => {
  await proctor(["run", ...script]);
  expect(await proctor(["report", "--gate", "skill:refnd score>=0.8"])).toMatchObject({
    code: 2,
    stdout: "",
    stderr: expect.stringMatching(/Did you mean refund\?/),
  });
  expect((await proctor(["report", "--gate", "target:script:answer.yaml score>=0.8"])).stderr).toMatch(
    /Did you mean script:answers\.yaml\?/,
  );
  expect((await proctor(["report", "--gate", "skill:refund score>=0.8"])).code).toBe(0);
});

test("a run id that does not exist is answered with the newest ones", async () => {
  for (let run = 0; run < 4; run++) await proctor(["run", ...script]);
  const [, b, c, d] = readdirSync(join(world.dir, ".proctor", "runs")).sort();
  expect((await proctor(["report", "2000-01-01-a"])).stderr).toContain(`The newest are ${d}, ${c}, ${b}.`);
});

test("a skill that hosts may drop is mentioned, with the command that says more", async () => {
  world.write("skills/mute/SKILL.md", "---\nname: mute\n---\nBody.\n");
  const { stderr, code } = await proctor(["run", ...script]);
  expect(code).toBe(0);
  expect(stderr).toMatch(/proctor check finds 1 error in the skills \(skills\/mute\/SKILL\.md\): /);
  expect((await proctor(["run", ...script, "--quiet"])).stderr).toBe("");
  world.write(
    "skills/mute/SKILL.md",
    "---\nname: mute\ndescription: Mutes: calls, and meetings. Use when it is too loud.\n---\nBody.\n",
  );
  expect((await proctor(["run", ...script])).stderr).toMatch(
    /: Copilot CLI drops this skill silently: .* OpenCode load it\.$/m,
  );
});

test("one trial that is left is one", async () => {
  world.script({ answers: [{ query: "I want my money back", skills: ["refund"] }], default: { error: "auth" } });
  await proctor(["run", ...script, "--runs", "1"]);
  expect((await proctor(["run", "--resume"])).stderr).toMatch(/Resuming run \S+: 1 trial is in the record\./);
});

test("questions that are skipped are counted as such wherever questions are counted", async () => {
  world.skill("orders", [
    { query: "Where is my order?", should_trigger: true },
    { query: "Money back please", should_trigger: false, expected_skill: "refund", skip: "not now" },
  ]);
  world.script({ default: { skills: [] } });
  const { stdout } = await proctor(["run", ...script, "--verbose"]);
  expect(stdout.replaceAll("\n", " ")).toContain("4 questions: 2 should activate, 2 should not; 1 of them skipped");
  expect(stdout).toMatch(/2 of 3 questions fail/);
  expect(stdout).toMatch(/negatives: of 1, 0 are labelled as a sibling's/);
  expect(stdout).not.toMatch(/prove little/);
});

describe("report --trials", () => {
  beforeEach(async () => {
    world.script({
      answers: [
        { query: "I want my money back", skills: [], text: "What did you buy?" },
        { query: "Where is my parcel?", error: { reason: "unknown", message: "something broke", retryable: false } },
      ],
    });
    await proctor(["run", ...script, "--runs", "1"]);
  });

  test("shows what was said and done in the trials of a question", async () => {
    const { code, stdout } = await proctor(["report", "--trials", "MONEY"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^"I want my money back" {2}skills\/refund\/evals\/triggers\.json:\d+$/m);
    expect(stdout).toMatch(/script:answers\.yaml, run 1: no skill was used/);
    expect(stdout).toMatch(/said: What did you buy\?/);
    expect(stdout).not.toMatch(/parcel/);
  });

  test("shows those of questions that did not pass where none is named, and refuses a text that no question has", async () => {
    expect((await proctor(["report", "--trials"])).stdout).toMatch(
      /"Where is my parcel\?"[\s\S]*error: unknown error \(something broke\)/,
    );
    expect(await proctor(["report", "--trials", "weather"])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/"weather"/),
    });
  });

  test("says in a line that every question passed, and how to see all, and ends as the run does", async () => {
    world.script({
      answers: [
        { query: "I want my money back", skills: ["refund"] },
        { query: "Where is my parcel?", skills: [] },
      ],
    });
    const { code } = await proctor(["run", ...script, "--runs", "1"]);
    expect(code).toBe(0);
    const shown = await proctor(["report", "--trials"]);
    expect(shown).toMatchObject({ code, stderr: "" });
    expect(shown.stdout).toMatch(
      /^Every question of run \S+ that was asked passed: --trials "" shows all trials, .*\n$/,
    );
    expect((await proctor(["report", "--trials", ""])).stdout).toMatch(
      /"I want my money back"[\s\S]*"Where is my parcel\?"/,
    );
    const json = await proctor(["report", "--trials", "--json"]);
    expect(json.code).toBe(code);
    expect(JSON.parse(json.stdout)).toMatchObject({ total: 0, trials: [] });
  });

  test("of a prediction says what fires, and that it cannot tell is no failure", async () => {
    world.skill("orders", [{ query: "Sing me a song about the sea", should_trigger: true }]);
    await proctor(["run", "-t", "embedded"]);
    const { stdout } = await proctor(["report", "--trials", "sea"]);
    expect(stdout).toMatch(/^ {2}embedded, run 1: no skill fires for certain \(predicted, /m);
    expect(stdout).toMatch(/^ {2}\? cannot tell whether orders would fire/m);
    expect(stdout).not.toMatch(/✗|was used|raw output/);
  });

  test("is offered only where there is raw output to see", async () => {
    const { stdout } = await proctor(["report"]);
    expect(stdout).not.toMatch(/raw output/);
  });
});

test("a run says what changed since the last one on the same target, and which skills were edited", async () => {
  world.script({ default: { skills: [] } });
  expect((await proctor(["run", ...script])).stdout).not.toMatch(/^since /m);
  await proctor(["run", "-t", "embedded"]);
  world.skill("refund", [], "Gives money back.");
  world.script({ answers: [{ query: "I want my money back", skills: ["refund"] }], default: { skills: [] } });
  const { stdout } = await proctor(["run", ...script, "--no-cache"]);
  expect(stdout.replace(/\s+/g, " ")).toMatch(
    / since \S+-a \(edited since: refund; the target changed: script \S+ → \S+\): 1 → 2 of 2 questions pass: 1 now passes; no claim, because the two were not measured the same way /,
  );
  expect(stdout).toMatch(/^refund 1\/2 → 2\/2$/m);
  expect(stdout).toMatch(/^ {2}now passes: "I want my money back" {2}skills\/refund\/evals\/triggers\.json:\d+$/m);
  expect((await proctor(["run", ...script, "--no-cache"])).stdout).toMatch(
    /^since \S+-c: the same verdicts on all 2 questions that both asked$/m,
  );
});

test("a change is not claimed where the answers are those of the earlier run, and what differs is named", async () => {
  world.script({ default: { skills: ["refund"], hit_rate: 0.6 } });
  const runs = ["--runs", "5", "--no-early-stop"];
  await proctor(["run", ...script, ...runs, "--threshold", "0.9"]);
  const flat = (await proctor(["run", ...script, ...runs, "--threshold", "0.5"])).stdout.replace(/\s+/g, " ");
  expect(flat).toMatch(
    / since \S+-a \(the options changed: --threshold 0\.9 → 0\.5\): nothing to compare; left out: 2 questions with the same answers as that run /,
  );
  expect(flat).not.toMatch(/beyond noise/);
  const anew = (await proctor(["run", ...script, ...runs, "--threshold", "0.9", "--no-cache"])).stdout.replace(
    /\s+/g,
    " ",
  );
  expect(anew).toMatch(
    / since \S+-b \(the options changed: --threshold 0\.5 → 0\.9\): .*no claim, because the two were not measured the same way/,
  );
});

test("where nothing can be asked because a suite was not understood, that suite is named, and not a draft proposed", async () => {
  world.write("lone/x/SKILL.md", "---\nname: x\ndescription: Does x. Use when somebody asks for x.\n---\nDo it.\n");
  world.write("lone/x/evals/triggers.json", [{ query: "do it", should_triger: true }]);
  const { code, stderr } = await proctor(["run", "lone"]);
  expect(code).toBe(3);
  expect(stderr).toMatch(
    /no question\. lone\/x\/evals\/triggers\.json: .*nothing in it was\s+understood as a\s+question/,
  );
  expect(stderr).not.toContain("proctor init");
});

test.each([80, 100, 120])(
  "the first run of the example fits on a screen of 24 lines, %i columns wide",
  async (columns) => {
    cpSync(fileURLToPath(new URL("../../examples/shop", import.meta.url)), join(world.dir, "shop"), {
      recursive: true,
    });
    const { code, stdout } = await proctor(["run", "shop"], { COLUMNS: `${columns}` });
    const lines = stdout.trimEnd().split("\n");
    expect(code).toBe(0);
    expect(lines.length).toBeLessThanOrEqual(24);
    expect(lines[0]).toMatch(/^\d+ of \d+ questions fail; embedded cannot tell for \d+\b/);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns);
    expect(lines.slice(-3).join("\n")).toMatch(
      /^next: proctor [^\n]*\n {2}or {2}[^\n]*(?:\n| {5})page: proctor view$/m,
    );
  },
);

test("a dry run needs neither the CLI nor a key, and says what the run would need", async () => {
  const { code, stdout } = await proctor(
    ["run", "-t", "claude:haiku", "-t", "router:anthropic/claude-haiku-4-5", "--dry-run"],
    {
      PATH: world.dir,
    },
  );
  expect(code).toBe(0);
  expect(stdout).toMatch(/^claude:haiku +2 +4 to 6 /m);
  expect(stdout).toMatch(/^router:anthropic\/claude-haiku-4-5 +2 /m);
  expect(stdout).toMatch(/claude:haiku cannot be asked yet: Claude Code is not installed/);
  expect((await proctor(["run", "-t", "clade:haiku", "--dry-run"])).code).toBe(2);
  expect((await proctor(["run", "-t", "claude:haiku"], { PATH: world.dir })).code).toBe(2);
});

test("a dry run counts what the cache answers, and does not charge for it", async () => {
  world.script({
    answers: [{ query: "I want my money back", skills: ["refund"] }],
    default: { skills: [] },
    cost_per_trial: 0.5,
  });
  const planned = async () => (await proctor(["run", ...script, "--runs", "1", "--dry-run"])).stdout;
  expect(await planned()).toMatch(/^script:answers\.yaml .* \$1\.00$/m);
  await proctor(["run", ...script, "--runs", "1"]);
  expect(await planned()).toMatch(/^script:answers\.yaml .* \$0\n\n2 trials in the cache; /m);
});

describe("drafts that nobody has reviewed", () => {
  const reviewed = { query: "Where is my parcel?", should_trigger: true };
  const drafted = { query: "I want my money back", should_trigger: true, draft: true };
  const rendered = async (rows: object[], ...more: string[]) => {
    world.write("skills/refund/evals/triggers.json", rows);
    world.script({ answers: [{ query: "I want my money back", skills: ["refund"] }], default: { skills: [] } });
    const names = ["markdown", "junit", "github", "json"];
    const { code } = await proctor([
      "run",
      ...script,
      ...more,
      ...names.flatMap((name) => ["--reporter", `${name}=${join(world.dir, name)}`]),
    ]);
    const [markdown, junit, github, json] = names.map((name) => readFileSync(join(world.dir, name), "utf8"));
    return { code, markdown: markdown!, junit: junit!, github: github!, json: JSON.parse(json!) };
  };

  test("alone they are asked, and nothing is green", async () => {
    for (const more of [[], ["--gate", "score>=0.5"]]) {
      const { code, markdown, junit, github } = await rendered([drafted, { ...reviewed, skip: "not now" }], ...more);
      expect(code).toBe(3);
      expect(markdown).toMatch(/^❔ .*drafts, which prove nothing yet/);
      expect(junit).toContain("draft: it passes, but nobody has reviewed it");
      expect(github).toContain("only drafts were asked");
    }
  });

  test("beside questions that somebody has reviewed they are not asked, and lift no rate", async () => {
    const { code, json, junit, markdown } = await rendered([drafted, reviewed], "--gate", "score>=0.5");
    expect(code).toBe(1);
    expect(json.targets[0].total.score).toMatchObject({ value: 0, n: 1 });
    expect(junit).toMatch(/skipped: a draft that nobody has reviewed/);
    expect(markdown).toContain("1 draft that nobody has reviewed");
  });
});

test("after a run of nothing but drafts, the next step is to edit them", async () => {
  world.write("skills/refund/evals/triggers.json", [
    { query: "I want my money back", should_trigger: true, draft: true },
  ]);
  const { code, stdout } = await proctor(["run", "-t", "embedded"]);
  expect([code, stdout]).toEqual([
    3,
    expect.stringMatching(/next: edit the drafts in skills\/refund\/evals\/triggers\.json/),
  ]);
});
