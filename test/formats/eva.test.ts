import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { promotePrompt as promote } from "../../src/formats/index.ts";
import {
  type Loopback,
  type LoopbackRequest,
  type ScriptedFault,
  type ScriptedMove,
  startLoopback,
} from "../../src/loopback/index.ts";
import { renderReport } from "../../src/reporters/index.ts";
import { run as runExam } from "../../src/verbs/index.ts";

/** What the scripted model says, by what it is asked to be. */
let says: { judge(request: LoopbackRequest): string; grader(): string; writer(): string };
/** The status with which it refuses everything. */
let refused: number | undefined;
let server: Loopback;
let root: string;

beforeAll(async () => {
  const speak = (request: LoopbackRequest): ScriptedMove | ScriptedFault => {
    if (refused !== undefined) return { fault: "status", status: refused };
    const text = JSON.stringify(request.body);
    return {
      text: text.includes("DECISION=") ? says.judge(request) : text.includes("SCORE=") ? says.grader() : says.writer(),
    };
  };
  server = await startLoopback({ eva: { steps: [speak] } });
});
afterAll(() => server.close());

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "proctor-eva-"));
  mkdirSync(join(root, ".git"));
  server.requests.length = 0;
  refused = undefined;
  says = {
    judge: (request) =>
      JSON.stringify(request.body).includes("refactor src/foo.py")
        ? "DECISION=YES REASON=fits"
        : "DECISION=NO REASON=does not",
    grader: () => "SCORE=4 REASON=surgical",
    writer: () => "<diff>constraints empty</diff>",
  };
  write(
    "refactor/meta.yml",
    "id: refactor # the prompt's id\nsummary: Refactors one Python file.\ntriggers: [remove global state]\nnot_for: [explanations]\nstatus: draft # moved by promote\n",
  );
  write("refactor/prompt.xml", "<task>Refactor under: {{constraints}}</task>\n");
  write("examples/happy-path/inputs.yml", "constraints: from the root\n");
  write("refactor/examples/happy-path/inputs.yml", "constraints: from the prompt's folder\n");
  write("refactor/examples/other/inputs.yml", "constraints: only here\n");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe("the examples of eva's documents run as written", () => {
  test("triggering: a query that should match needs a YES, one that should not needs a NO", async () => {
    suite(`
defaults: { model: claude-opus-4-7 }
triggering:
  judge:
    model: claude-haiku-4-5-20251001
  should_match:
    - "refactor src/foo.py to remove the global state"
  should_not_match:
    - "explain what this file does"
`);
    const { scores, exitCode } = await run();
    expect(exitCode).toBe(0);
    expect(scores.targets.map(({ id }) => id)).toEqual(["judge:claude-haiku-4-5-20251001"]);
    expect(verdicts(scores)).toEqual(["pass", "pass"]);
    expect(new Set(server.requests.map(({ model }) => model))).toEqual(new Set(["claude-haiku-4-5-20251001"]));
    const sent = JSON.stringify(server.requests[0]?.body);
    for (const part of [
      "DESCRIPTION:\\nRefactors one Python file.",
      "POSITIVE TRIGGERS:\\n- remove global state",
      "NEGATIVE TRIGGERS (do NOT use for):\\n- explanations",
      "USER QUERY:\\n",
    ]) {
      expect(sent).toContain(part);
    }
    expect(sent).not.toContain("<task>");
  });

  test("a negative trigger that keeps the prompt from grabbing weather queries", async () => {
    suite(
      'defaults: { model: claude-haiku-4-5 }\ntriggering:\n  should_not_match:\n    - "what\'s the weather in San Francisco"\n',
    );
    expect(verdicts((await run()).scores)).toEqual(["pass"]);
    expect(server.requests[0]?.model).toBe("claude-haiku-4-5");
    says.judge = () => "DECISION=YES REASON=why not";
    const failed = await run();
    expect(verdicts(failed.scores)).toEqual(["fail"]);
    expect(failed.exitCode).toBe(1);
  });

  test("a case with assertions and a rubric, whose inputs come from the root before the prompt's folder", async () => {
    suite(`
defaults:
  model: claude-opus-4-7
  timeout_s: 60
cases:
  - name: small-file-happy-path
    inputs_from: examples/happy-path # OR inline \`inputs:\` mapping
    assert:
      - contains: "<diff>"
      - max_tokens: 2000
    rubric: "Score the diff for surgical-ness, 1-5."
    judge: { model: claude-haiku-4-5-20251001, pass_threshold: 4 }
`);
    const { scores, exitCode } = await run();
    expect(exitCode).toBe(0);
    expect(verdicts(scores)).toEqual(["pass"]);
    const [asked, judged] = server.requests;
    expect(asked?.model).toBe("claude-opus-4-7");
    expect(asked?.opening).toContain("Refactor under: from the root");
    expect(judged?.model).toBe("claude-haiku-4-5-20251001");
  });

  test("a case with inline inputs and a single assertion", async () => {
    suite(
      'defaults: { model: claude-opus-4-7 }\ncases:\n  - name: rejects-empty\n    inputs: {constraints: ""}\n    assert:\n      - contains: "constraints empty"\n',
    );
    const { scores, record } = await run();
    expect(verdicts(scores)).toEqual(["pass"]);
    expect(rows()).toMatchObject([
      { all_passed: true, total: 1, passed: 1, failed_cases: [], proctor: { run: record.run } },
    ]);
    expect(Object.keys(rows()[0]!)).toEqual(["ts", "all_passed", "total", "passed", "failed_cases", "proctor"]);
  });
});

describe("what the documents say", () => {
  const oneCase = (more: string) =>
    `defaults: { model: claude-haiku-4-5 }\ncases:\n  - name: c\n    inputs: { constraints: x }\n${more}`;

  test("the judge's model falls back to defaults.model", async () => {
    suite(`${oneCase("    rubric: Is it good?\n")}triggering: { should_match: ["refactor src/foo.py"] }\n`);
    await run();
    expect(new Set(server.requests.map(({ model }) => model))).toEqual(new Set(["claude-haiku-4-5"]));
  });

  test("the rubric's threshold is 4 unless said", async () => {
    suite(oneCase("    rubric: Is it good?\n"));
    says.grader = () => "SCORE=3 REASON=so so";
    const { scores, exitCode } = await run();
    expect([verdicts(scores), exitCode]).toEqual([["fail"], 1]);
    expect(rows().at(-1)).toMatchObject({ all_passed: false, passed: 0, failed_cases: ["c"] });
  });

  test.each(["DECISION: maybe", "DECISION=YES\nDECISION=NO"])(
    "an unparseable judge (%j) passes nothing, and fails in eva's own row",
    async (reply) => {
      suite('defaults: { model: claude-haiku-4-5 }\ntriggering: { should_not_match: ["explain this"] }\n');
      says.judge = () => reply;
      const { scores, exitCode } = await run();
      expect(verdicts(scores)).toEqual(["inconclusive"]);
      expect(exitCode).toBe(3);
      expect(rows()).toMatchObject([
        { all_passed: false, total: 1, passed: 0, failed_cases: ["should_not_match: explain this"] },
      ]);
    },
  );

  test("an unparseable rubric judge passes nothing", async () => {
    suite(oneCase("    rubric: Is it good?\n"));
    says.grader = () => "Rather good.";
    expect(verdicts((await run()).scores)).toEqual(["inconclusive"]);
    expect(rows().at(-1)).toMatchObject({ failed_cases: ["c"] });
  });

  test("one failed line fails the case, and one failed case the run", async () => {
    suite(
      oneCase(
        '    assert: [{ contains: "<diff>" }, { not_contains: "empty" }]\n  - name: d\n    inputs: { constraints: y }\n    assert: [{ contains: "<diff>" }]\n',
      ),
    );
    const { scores, exitCode } = await run();
    expect([verdicts(scores), exitCode]).toEqual([["fail", "pass"], 1]);
    expect(rows()).toMatchObject([{ total: 2, passed: 1, failed_cases: ["c"] }]);
  });

  test("with --case the triggering pass is skipped, and the partial run writes no row", async () => {
    suite(
      `${oneCase('    assert: [{ contains: "<diff>" }]\n')}triggering: { should_match: ["refactor src/foo.py"] }\n`,
    );
    const { scores } = await run({ cases: ["c"] });
    expect(scores.targets.map(({ id }) => id)).toEqual(["model:claude-haiku-4-5"]);
    expect(rows()).toEqual([]);
  });

  test("inputs_from is found in the prompt's folder when the root has none", async () => {
    suite(
      "defaults: { model: claude-haiku-4-5 }\ncases: [{ name: c, inputs_from: examples/other, assert: [{ contains: diff }] }]\n",
    );
    await run();
    expect(server.requests[0]?.opening).toContain("only here");
  });

  test("a judge on the command line overrides the suite's", async () => {
    suite(
      'defaults: { model: claude-opus-4-7 }\ntriggering: { judge: { model: claude-haiku-4-5 }, should_match: ["refactor src/foo.py"] }\n',
    );
    await run({ targets: ["judge:anthropic/claude-sonnet-4-5"] });
    expect(new Set(server.requests.map(({ model }) => model))).toEqual(new Set(["claude-sonnet-4-5"]));
  });

  test("a prediction is no evidence: the embedded router writes no row", async () => {
    suite('defaults: { model: claude-opus-4-7 }\ntriggering: { should_match: ["refactor src/foo.py"] }\n');
    await run({ targets: ["embedded"] });
    expect(rows()).toEqual([]);
  });
});

describe("reports", () => {
  const both = `defaults: { model: claude-haiku-4-5 }
triggering: { judge: { model: claude-sonnet-4-5 }, should_match: ["tidy up lib/bar.py"] }
cases: [{ name: keeps-behaviour, inputs: { constraints: a long text }, rubric: Is it good? }]
`;
  const told = async (reporters: readonly string[]) => {
    suite(both);
    says.judge = () => "**DECISION=NO** REASON=It names no state.";
    says.grader = () => "- **SCORE=2** REASON=It renames a function.";
    const { scores } = await run();
    return Promise.all(reporters.map((name) => renderReport(name, scores, { skills })));
  };
  const skills = new Map([["refactor", { file: "refactor/meta.yml", line: 2 }]]);

  test("call a case by its name and say why the judges said no", async () => {
    const reporters = ["terminal", "json", "markdown", "junit", "github", "gitlab", "sarif"];
    for (const [at, text] of (await told(reporters)).entries()) {
      const plain = text.replace(/\s+/g, " ");
      for (const part of ["keeps-behaviour", "It names no state.", "It renames a function."])
        expect(plain, reporters[at]).toContain(part);
      if (reporters[at] !== "json") expect(plain, reporters[at]).not.toContain("Refactor under");
    }
  });

  test("a question of one target is not skipped by the other", async () => {
    const [terminal, junit] = await told(["terminal", "junit"]);
    expect(terminal).not.toContain("not asked");
    expect(junit).toMatch(/<testsuites [^>]*tests="2" failures="2"/);
    expect(junit).not.toContain("<skipped");
  });

  test("a case that fails is not blamed on the description", async () => {
    const [github] = await told(["github"]);
    expect(github!.split("\n").filter((line) => line.includes("description"))).toEqual([
      expect.stringContaining("1 of 1 question about refactor fails on judge:claude-sonnet-4-5"),
    ]);
  });

  test("cases that nobody answers: said once, with a command that asks them", async () => {
    suite(
      both
        .replace("defaults: { model: claude-haiku-4-5 }\n", "")
        .replace("rubric: Is it good?", "assert: [{ contains: x }]"),
    );
    const { scores } = await run();
    expect(scores.targets.map(({ id }) => id)).toEqual(["judge:claude-sonnet-4-5"]);
    suite("cases: [{ name: alone, inputs: { constraints: x }, assert: [{ contains: x }] }]\n");
    const alone = await run();
    const text = (await renderReport("terminal", alone.scores, {})).replace(/\s+/g, " ");
    expect(alone.exitCode).toBe(3);
    expect(text).toContain("Nothing was asked: every question was skipped.");
    expect(text).toMatch(/set `defaults\.model` in eval\.yml/);
    expect(text).toContain("-t model:claude-haiku-4-5");
    expect(text).not.toContain("claude:haiku");
  });
});

describe("without a key", () => {
  const judged =
    'defaults: { model: claude-haiku-4-5 }\ncases: [{ name: c, inputs: { constraints: x }, rubric: Is it good? }]\ntriggering: { should_match: ["refactor src/foo.py"] }\n';

  test("a target that is put no case needs no judge of their text", async () => {
    suite(judged);
    expect((await run({ targets: ["embedded"], env: {} })).scores.targets[0]?.trials.total).toBe(1);
  });

  test.each([
    ["the suite's own targets", undefined],
    ["a target that is put the cases", ["script:answers.yaml"]],
  ])("%s: refused with the way out, and no record is left", async (_what, targets) => {
    suite(judged);
    write("answers.yaml", "default: { skills: [] }\n");
    const refused = run({ env: {}, ...(targets && { targets }) });
    await expect(refused).rejects.toThrow(/needs a key/);
    await expect(refused).rejects.toHaveProperty(
      "hint",
      expect.stringContaining("-t embedded predicts the triggers offline"),
    );
    expect(existsSync(join(root, ".proctor"))).toBe(false);
  });
});

test.each(["/eva", "127.0.0.1:8080", "localhost"])(
  "an address that is no URL (%s) is refused before anything is asked",
  async (address) => {
    suite("defaults: { model: claude-haiku-4-5 }\ntriggering: { should_match: [tidy up] }\n");
    const refused = run({ env: { ANTHROPIC_API_KEY: "dummy-key-1", ANTHROPIC_BASE_URL: address } });
    await expect(refused).rejects.toThrow(`The address of anthropic is no URL: "${address}".`);
    await expect(refused).rejects.toHaveProperty("hint", expect.stringContaining("correct ANTHROPIC_BASE_URL"));
  },
);

describe("promotion", () => {
  const passing = 'defaults: { model: claude-haiku-4-5 }\ntriggering: { should_match: ["refactor src/foo.py"] }\n';
  const status = () => /status: (.*)/.exec(readFileSync(join(root, "refactor/meta.yml"), "utf8"))?.[1];

  test("draft, tested, ready, on the evidence of full runs; only the field is edited", async () => {
    suite(passing);
    await expect(promote(join(root, "refactor"), "ready")).rejects.toThrow("the next step is tested");
    await expect(promote(join(root, "refactor"), "tested")).rejects.toThrow("no full run is on file");
    await run();
    await promote(join(root, "refactor"), "tested");
    await promote(join(root, "refactor"), "ready");
    expect(status()).toBe("ready # moved by promote");
    expect(readFileSync(join(root, "refactor/meta.yml"), "utf8")).toContain("id: refactor # the prompt's id\n");
  });

  test.each([
    ["prompt.xml", "<task>Other: {{constraints}}</task>"],
    ["meta.yml", "id: refactor\nsummary: Another.\nstatus: tested\n"],
    ["eval.yml", `${passing}# edited\n`],
  ])("a change of %s since the last run stands in the way, and is named", async (file, text) => {
    suite(passing);
    await run();
    await promote(join(root, "refactor"), "tested");
    write(`refactor/${file}`, text);
    await expect(promote(join(root, "refactor"), "ready")).rejects.toThrow(
      `${file} has changed since the last full run`,
    );
  });

  const withInputs = `${passing}cases:
  - { name: root, inputs_from: examples/happy-path, assert: [{ contains: "<diff>" }] }
  - { name: own, inputs_from: examples/other, assert: [{ contains: "<diff>" }] }
`;

  test.each([
    ["refactor/examples/other/inputs.yml", "examples/other/inputs.yml has changed"],
    ["refactor/notes.md", "notes.md is new"],
    ["examples/happy-path/inputs.yml", "../examples/happy-path/inputs.yml has changed"],
  ])("a change of %s stands in the way too: all that was examined is evidence", async (file, message) => {
    suite(withInputs);
    expect((await run()).exitCode).toBe(0);
    await promote(join(root, "refactor"), "tested");
    write(file, "constraints: others\n");
    await expect(promote(join(root, "refactor"), "ready")).rejects.toThrow(`${message} since the last full run`);
  });

  test("what was edited while the run went on was not examined", async () => {
    suite(withInputs);
    says.writer = () => {
      write("refactor/examples/other/inputs.yml", "constraints: edited meanwhile\n");
      return "<diff>constraints empty</diff>";
    };
    await run();
    await expect(promote(join(root, "refactor"), "tested")).rejects.toThrow("examples/other/inputs.yml has changed");
  });

  test("a run that broke off is the last word, with how it ended", async () => {
    suite(
      passing.replace("]", ', "refactor src/foo.py please", "refactor src/foo.py now", "refactor src/foo.py again"]'),
    );
    await run();
    await promote(join(root, "refactor"), "tested");
    refused = 401;
    const { footer } = await run();
    expect(footer.how).toBe("stopped");
    expect(rows().at(-1)).toMatchObject({ all_passed: false, total: 4, passed: 0, proctor: { how: "stopped" } });
    await expect(promote(join(root, "refactor"), "ready")).rejects.toThrow("the last run was stopped before its end");
  });

  test("promotion itself makes no answer old", async () => {
    suite(passing);
    await run({ cache: true });
    await promote(join(root, "refactor"), "tested");
    server.requests.length = 0;
    expect(verdicts((await run({ cache: true })).scores)).toEqual(["pass"]);
    expect(server.requests).toEqual([]);
  });

  test("a run whose judge of text failed is the last word", async () => {
    suite(
      "defaults: { model: claude-haiku-4-5 }\ncases: [{ name: c, inputs: { constraints: x }, rubric: Is it good? }]\n",
    );
    await run();
    await promote(join(root, "refactor"), "tested");
    says.grader = () => "I had rather not say.";
    await run();
    await expect(promote(join(root, "refactor"), "ready")).rejects.toThrow("passed 0 of 1: c");
  });

  test("a row of an earlier version, which names three files only, is no evidence", async () => {
    suite(passing);
    await run();
    const { proctor, ...row } = rows()[0]!;
    const files = { prompt: "a", meta: "b", suite: "c" };
    write("refactor/.eval.jsonl", `${JSON.stringify({ ...row, proctor: { ...(proctor as object), files } })}\n`);
    await expect(promote(join(root, "refactor"), "tested")).rejects.toThrow("does not say which files it examined");
  });

  test("a failed run makes it tested, not ready, and says what failed", async () => {
    suite(passing);
    says.judge = () => "DECISION=NO REASON=no";
    await run();
    await promote(join(root, "refactor"), "tested");
    await expect(promote(join(root, "refactor"), "ready")).rejects.toThrow(
      "passed 0 of 1: should_match: refactor src/foo.py",
    );
  });

  test("going back needs a reason", async () => {
    write("refactor/meta.yml", "id: refactor\nsummary: x\nstatus: ready\n");
    await expect(promote(join(root, "refactor"), "tested")).rejects.toThrow("needs a reason");
    await promote(join(root, "refactor"), "tested", "a customer complained");
    expect(status()).toBe("tested");
  });
});

async function run(flags: Parameters<typeof runExam>[0] = {}) {
  const env = { ANTHROPIC_API_KEY: "dummy-key-1", ANTHROPIC_BASE_URL: `${server.url}/eva` };
  const [result] = await runExam({
    cwd: root,
    paths: ["refactor"],
    env,
    config: {},
    cache: false,
    retries: 0,
    ...flags,
  });
  return result!;
}

function verdicts(scores: Awaited<ReturnType<typeof run>>["scores"]): string[] {
  return scores.targets.flatMap((target) =>
    target.questions.filter(({ status }) => status !== "skipped").map(({ verdict }) => verdict),
  );
}

function rows(): Record<string, unknown>[] {
  try {
    return readFileSync(join(root, "refactor/.eval.jsonl"), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
  } catch {
    return [];
  }
}

function suite(text: string): void {
  write("refactor/eval.yml", text);
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}
