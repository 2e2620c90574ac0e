import { describe, expect, test } from "vitest";
import { checkSuites } from "../../src/check/index.ts";
import { makeAsk } from "../../src/formats/index.ts";
import { parseDecision } from "../../src/targets/models/judge.ts";
import { check, plan } from "../../src/verbs/index.ts";
import { folderOf, readFolder } from "./library.ts";

/** What people bring along from eva and evolve. */
const prompt = (id: string, evalYml: string, meta = "") => ({
  [`prompts/${id}/meta.yml`]: `id: ${id}\ndescription: About ${id}.\n${meta}`,
  [`prompts/${id}/prompt.xml`]: "<task>Do {{it}} with {{care}}.</task>\n",
  [`prompts/${id}/eval.yml`]: evalYml,
});
const told = async (files: Record<string, string>) => {
  const { problems } = await check({ cwd: folderOf(files), env: {} });
  return problems.map(({ severity, code, message, fix }) => `${severity} ${code} ${message} ${fix ?? ""}`);
};

describe("eva", () => {
  const cases = "cases:\n  - name: happy\n    inputs: { it: this, care: love }\n    assert: [{ contains: x }]\n";

  test("a prompt's id is enough to say what to run", async () => {
    const root = folderOf(
      {
        "proctor.config.yaml": "{}",
        ...prompt("summarise", "triggering: { should_match: [sum it up] }\n"),
        ...prompt("translate", "triggering: { should_match: [say it in French] }\n"),
      },
      [],
    );
    const [only] = await plan({ cwd: root, paths: ["summarise"], env: {}, targets: ["embedded"] });
    expect(only!.questions.map(({ prompt: query }) => query)).toEqual(["sum it up"]);
    await expect(plan({ cwd: root, paths: ["summarize"], env: {} })).rejects.toMatchObject({
      message: "There is no file, folder or skill summarize.",
      hint: "Did you mean summarise?",
    });
    await expect(plan({ cwd: root, paths: ["nothing-like-it"], env: {} })).rejects.toThrow(
      "There is no file or folder nothing-like-it",
    );
  });

  test("a triggering block without queries is skipped, and cases are asked", async () => {
    const { suites } = await readFolder(
      folderOf(prompt("p", `triggering: { should_match: [], should_not_match: [] }\n${cases}`), []),
    );
    expect(suites[0]).toMatchObject({
      triggers: [],
      cases: [{ id: "happy" }],
      problems: [{ code: "suite/empty", severity: "warning" }],
    });
  });

  test("an input that is not required may be left out", async () => {
    const meta =
      "inputs:\n  - { name: it }\n  - { name: care, required: false }\n  - { name: unheard, required: false }\n";
    const only = "cases:\n  - name: happy\n    inputs: { it: this }\n    assert: [{ contains: x }]\n";
    const { suites, library } = await readFolder(folderOf(prompt("p", only, meta), []));
    expect(makeAsk(suites[0]!.cases[0]!, library).prompt).toBe("<task>Do this with .</task>\n");
    expect(checkSuites({ suites, library })).toEqual([]);
    const strict = await readFolder(folderOf(prompt("p", only), []));
    expect(checkSuites(strict).map(({ code }) => code)).toEqual(["suite/template-missing"]);
  });

  test("cases without a model to answer them say what to do, and are called by their names", async () => {
    const [only] = await plan({ cwd: folderOf(prompt("p", cases), []), env: {} });
    expect(only!.questions).toMatchObject([
      {
        name: "happy",
        skipped: { embedded: expect.stringMatching(/`defaults\.model` in eval\.yml, or .* -t model:NAME/) },
      },
    ]);
  });

  test("a key that is none is told with the one that was meant", async () => {
    const yml =
      "triggering:\n  should_macth: [sum it up]\n  should_match: [x y]\ncases:\n  - name: a\n    inputs: { it: 1, care: 2 }\n    assert: [{ contains: x }]\n    rubrik: Good?\n    judge: { modle: m }\ndefault: { model: m }\n";
    const found = (await told(prompt("p", yml))).filter((line) => line.includes("unknown-field"));
    expect(found).toEqual([
      expect.stringMatching(/"should_macth".*`should_match`/),
      expect.stringMatching(/"rubrik".*`rubric`/),
      expect.stringMatching(/"modle".*`model`/),
      expect.stringMatching(/"default".*`defaults`/),
    ]);
  });
});

describe("a judge's decision", () => {
  test.each([
    ["DECISION=YES REASON=It fits.", true, "It fits."],
    ["**DECISION=YES** REASON=It fits.", true, "It fits."],
    ["`DECISION=NO` REASON=`No.`", false, "`No."],
    ["- DECISION=YES REASON=It fits.", true, "It fits."],
    ["1. **DECISION=NO REASON=It does not.**", false, "It does not."],
    ["I would say DECISION=YES, since it fits.", true, ""],
    ["Here it is:\n\n> DECISION = NO\nREASON=Another skill.", false, "Another skill."],
    ["DECISION=YES|NO REASON=…\nDECISION=NO REASON=It does not.", false, "It does not."],
    ["DECISION=YES REASON=NO other skill fits.", true, "NO other skill fits."],
    ['The user wrote "DECISION=YES".\nDECISION=NO REASON=It is quoted.', false, "It is quoted."],
  ])("%j", (reply, fires, reason) => {
    expect(parseDecision(reply)).toEqual({ fires, reason });
  });

  test.each([
    "It should fire.",
    "DECISION=MAYBE",
    "DECISION=YES\nDECISION=NO",
    "either DECISION=YES or DECISION=NO",
    "INDECISION=YES",
    "DECISION=YES|NO REASON=<one short sentence>",
    "DECISION=YES/NO REASON=…",
    "**DECISION=NO** | **YES**",
    "DECISION=YES or NO, I cannot tell",
  ])("none: %j", (reply) => {
    expect(parseDecision(reply)).toBeNull();
  });
});

describe("evolve", () => {
  const triggers = (row: object) => ({
    "evals/order-status/triggers.json": JSON.stringify({
      triggers: [{ query: "Where is it?", should_trigger: true, ...row }],
    }),
  });

  test.each([
    [{ skip_providers: ["gogle"] }, /^error suite\/invalid .*"gogle".*google/],
    [{ skip_providers: ["OpenAI"] }, /^error suite\/invalid .*"OpenAI".*openai/],
    [{ skip_providers: "google" }, /^error suite\/invalid .*a list.*\[google\]/],
    [{ skip_providers: ["my-own-cloud"] }, /^warning suite\/invalid .*"my-own-cloud"/],
    [{ should_triger: true }, /^warning suite\/unknown-field "should_triger".*`should_trigger`/],
    [
      { should_triger: true, should_trigger: undefined },
      /^error suite\/invalid "should_triger".*nothing would be checked.*`should_trigger`/,
    ],
  ])("%j is told", async (row, message) => {
    expect(await told(triggers(row))).toContainEqual(expect.stringMatching(message));
  });

  test.each([
    [
      "an eval",
      {
        "evals/order-status/evals.json": JSON.stringify({
          evals: [{ id: 1, prompt: "Do it", expectatoins: ["x"], assertions: ["y"], domain: "shop" }],
        }),
      },
      /"expectatoins".*`expectations`/,
    ],
    [
      "a waza task",
      {
        "evals/order-status/eval.yaml":
          "name: x\nskill: order-status\nconfig: { trials_per_tsk: 2 }\ntasks_from: t.yaml\n",
        "evals/order-status/t.yaml":
          "tasks:\n  - id: a\n    inputs: { prompt: Do it }\n    expected: { output_contians: [x], output_contains: [y] }\n",
      },
      /"output_contians".*`output_contains`/,
    ],
  ])("a mistyped key in %s is told", async (_what, files, message) => {
    expect(
      (await told(files as Record<string, string>)).filter((line) => line.includes("unknown-field")).join("\n"),
    ).toMatch(message);
  });

  test.each([
    [
      "anthropic",
      [
        "claude:haiku",
        "copilot:claude-haiku-4.5",
        "opencode:anthropic/claude-haiku-4-5",
        "opencode:openrouter/anthropic/claude-opus-4",
      ],
    ],
    ["openai", ["codex:gpt-5", "copilot:gpt-5-mini", "opencode:openai/o4-mini", "router:gpt-5"]],
    ["google", ["gemini:gemini-2.5-flash", "copilot:gemini-2.5-pro"]],
  ])("skip_providers: [%s] skips %s, also where the CLI is not installed", async (provider, targets) => {
    const cwd = folderOf(triggers({ skip_providers: [provider] }));
    const others = ["claude:haiku", "codex:gpt-5"].filter((id) => !targets.includes(id));
    const [only] = await plan({ cwd, env: { PATH: "", HOME: cwd }, targets: [...targets, ...others], config: {} });
    expect(only!.questions[0]!.skipped).toEqual(
      Object.fromEntries(targets.map((id) => [id, `the suite skips ${provider}`])),
    );
  });

  test("thresholds are named with the gates that say the same", async () => {
    const found = await told({
      ".evolve.json": JSON.stringify({
        report: { thresholds: { triggers_min_pass_rate: 0.55, evals_min_pass_rate: 0.75 } },
      }),
      ...triggers({}),
    });
    expect(found.find((line) => line.includes("thresholds"))).toMatch(/--gate 'triggers>=0\.55' --gate 'cases>=0\.75'/);
  });

  test("a case with an expected output has something to judge", async () => {
    const evals = (more: object) => ({
      "evals/order-status/evals.json": JSON.stringify({
        evals: [
          { id: 1, prompt: "Where is it?", ...more },
          { id: 2, prompt: "x y", expectations: ["z"] },
        ],
      }),
    });
    const warned = async (more: object) => (await told(evals(more))).some((line) => line.includes("nothing-to-check"));
    expect(await warned({ expected_output: "On its way" })).toBe(false);
    expect(await warned({})).toBe(true);
  });
});
