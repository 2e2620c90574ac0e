import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkSuites } from "../../src/check/index.ts";
import { folderOf, readFolder } from "./library.ts";

const evals = "evals/order-status";
const files = (more: Record<string, string>, head = "") => ({
  [`${evals}/eval.yaml`]: `name: e\nskill: order-status\nconfig: { trials_per_task: 2 }\ninputs: { city: Oslo }\n${head}tasks: ["tasks/*.yaml"]\n`,
  [`${evals}/fixtures/order.txt`]: "17\n",
  [`${evals}/fixtures/data/a.csv`]: "1\n",
  ...more,
});
const task = (body: string) => `id: t\nname: T\n${body}\ngraders: [{ type: text, config: { contains: [x] } }]\n`;
const read = async (more: Record<string, string>, head = "") =>
  (await readFolder(folderOf(files(more, head)))).suites.find(({ format }) => format === "waza")!;

test("files come from fixtures/ under their own names, prompts from a file, and {{.Vars.x}} from the inputs", async () => {
  const suite = await read({
    [`${evals}/tasks/t.yaml`]: task(
      'inputs: { prompt_file: p.txt, files: [{ path: order.txt }, { path: data }, { path: n.txt, content: "to {{.Vars.city}}" }] }\ngolden: true',
    ),
    [`${evals}/tasks/p.txt`]: "Send it to {{ .Vars.city }} for {{.TaskName}}",
  });
  expect(suite.problems).toEqual([]);
  expect(suite.cases[0]).toMatchObject({
    prompt: "Send it to Oslo for T",
    tags: ["golden"],
    files: [
      { path: "order.txt", from: expect.stringContaining("fixtures/order.txt") },
      { path: "data/a.csv", from: expect.stringContaining("fixtures/data/a.csv") },
      { path: "n.txt", content: "to Oslo" },
    ],
  });
});

test("context_dir without files is staged whole; follow-ups and responders are read", async () => {
  const suite = await read({
    [`${evals}/tasks/t.yaml`]: task(
      "context_dir: fixtures/data\ninputs: { prompt: Go, follow_up_prompts: [Yes, No], responder: { instructions: Be Ada, max_followups: 2 } }",
    ),
  });
  expect(suite.cases[0]).toMatchObject({
    files: [{ path: "a.csv" }],
    followUps: ["Yes", "No"],
    responder: { instructions: "Be Ada", mostReplies: 2 },
  });
});

test("everything under expected becomes a grader", async () => {
  const expected =
    "expected: { output_contains: [a], output_not_contains: [b], output_contains_any: [c, d], matches: [e+], behavior: { max_tool_calls: 3, max_iterations: 4, max_response_time_ms: 5 }, tool_calls: { required: [{ tool: bash }], forbidden: [web] }, outcomes: [{ type: task_completed }, { type: tool_called, tool_name: view }, { type: file_state, value: { a: 1 }, condition: unchanged }] }";
  const suite = await read({ [`${evals}/tasks/t.yaml`]: `id: t\nname: T\ninputs: { prompt: Go }\n${expected}\n` });
  expect(suite.cases[0]?.graders).toEqual([
    {
      type: "text",
      name: "expected",
      config: { contains: ["a"], not_contains: ["b"], contains_any: ["c", "d"], regex_match: ["e+"] },
    },
    { type: "behavior", name: "expected behavior", config: { max_turns: 4, max_duration_ms: 5, max_tool_calls: 3 } },
    { type: "tool_calls", name: "expected tool_calls", config: { required_tools: ["bash"], forbidden_tools: ["web"] } },
    { type: "tool_calls", name: "expected outcomes", config: { required_tools: ["view"] } },
    { type: "expectations", name: "expected outcomes", config: { statements: ['file state: {"a":1}: unchanged'] } },
  ]);
});

test("what is not honoured is named, and a misspelt key has its did-you-mean: nothing is dropped in silence", async () => {
  const suite = await read(
    {
      [`${evals}/tasks/t.yaml`]: task(
        "inputs: { prompt: Go, environment: { A: b }, promt_file: x }\nmax_attempts: 3\ngoldn: true",
      ),
    },
    "hooks: { before_run: [{ command: x }] }\nmcp_mocks: [{ a: 1 }]\n",
  );
  const told = suite.problems.map(({ code, message, fix, location }) => [
    code,
    message,
    fix,
    location.line !== undefined,
  ]);
  for (const key of ["hooks", "mcp_mocks", "max_attempts", "environment"])
    expect(told).toContainEqual(["suite/ignored-setting", `${key} has no effect here.`, expect.any(String), true]);
  expect(told).toContainEqual([
    "suite/unknown-field",
    '"goldn" is not a field of a task and has no effect.',
    expect.stringContaining("golden"),
    true,
  ]);
  expect(told).toContainEqual([
    "suite/unknown-field",
    expect.stringContaining('"promt_file"'),
    expect.stringContaining("prompt_file"),
    true,
  ]);
});

test("tasks may stand in eval.yaml itself, and `expected.graders` names the eval's or writes them out, as waza's documents show", async () => {
  const root = folderOf({
    [`${evals}/eval.yaml`]: `name: e
skill: order-status
config: { model: m }
graders:
  - { type: text, name: format_check, weight: 3, config: { regex_match: ["^[A-Z]"] } }
tasks:
  - id: inline
    inputs: { prompt: Go }
    expected:
      graders:
        - format_check
        - { type: file, name: made, config: { must_exist: [src/api.py] } }
  - task_files: ["tasks/*.yaml"]
`,
    [`${evals}/tasks/t.yaml`]: "id: t\ninputs: { prompt: On }\nexpected: { graders: [format_chek] }\n",
  });
  const [suite] = (await readFolder(root)).suites;
  const format = { type: "text", name: "format_check", weight: 3, config: { regex_match: ["^[A-Z]"] } };
  expect(suite?.cases.map(({ id, graders }) => [id, graders])).toEqual([
    ["inline", [format, { type: "file", name: "made", config: { must_exist: ["src/api.py"] } }]],
    ["t", [format]],
  ]);
  expect(suite?.problems).toMatchObject([
    {
      code: "suite/grader",
      message: 'There is no grader called "format_chek" in eval.yaml.',
      fix: "Did you mean format_check?",
    },
  ]);
});

test("graders are as waza means them: 0 is no limit, JSON is the whole reply, a rubric is a name or a file, and templates are filled", async () => {
  const suite = await read(
    {
      [`${evals}/tasks/t.yaml`]: `id: t
name: T
inputs: { prompt: Go }
graders:
  - { type: behavior, name: b, config: { max_tool_calls: 0, max_tokens: 9 } }
  - { type: json_schema, name: j, config: { schema: { type: object } } }
  - { type: prompt, name: p, config: { rubric: helpfulness, model: m } }
  - { type: prompt, name: f, config: { rubric: ./rubrics/house.md } }
  - { type: text, name: v, config: { contains: ["to {{.Vars.city}}"] } }
  - { type: code, name: c, assertions: ["len(output) > 1"] }
  - { type: code, name: d, assertions: ["len(output) > 1"], config: { language: python } }
`,
      [`${evals}/rubrics/house.md`]: "---\nname: house\nversion: 1.0.0\n---\n\nShort sentences.\n",
    },
    "",
  );
  expect(suite.cases[0]?.graders.map(({ config }) => config)).toEqual([
    { max_tokens: 9 },
    { extract_json: false, schema: { type: "object" } },
    { model: "m", prompt: expect.stringContaining("what was asked") },
    { prompt: "Short sentences." },
    { contains: ["to Oslo"] },
    { assertions: ["len(output) > 1"] },
    { language: "python", assertions: ["len(output) > 1"] },
  ]);
  expect(suite.problems).toMatchObject([
    {
      code: "suite/ignored-setting",
      message: "max_tool_calls: 0 is no limit in waza, and none here.",
      severity: "info",
    },
  ]);
});

test.each([
  [
    "a preset of somebody else's",
    "{ ref: github.com/x/fact#f@v1, name: r }",
    'There is no grader "github.com/x/fact#f@v1"',
  ],
  ["no type", "{ name: r, config: { contains: [x] } }", "A check of this case has no `type`"],
  [
    "a slip beside the config",
    "{ type: text, wieght: 2, config: { contains: [x] } }",
    '"wieght" is not a field of a grader',
  ],
  [
    "a rubric that is not there",
    "{ type: prompt, config: { rubric: helpfulnes } }",
    'The rubric "helpfulnes" cannot be used',
  ],
  [
    "a program above the suite",
    "{ type: program, config: { command: python3, args: [scripts/grade.py] } }",
    'file "scripts/grade.py" lies above',
  ],
])("a grader with %s is told of, not dropped", async (_what, grader, message) => {
  const root = folderOf({
    ...files({ [`${evals}/tasks/t.yaml`]: `id: t\ninputs: { prompt: Go }\ngraders: [${grader}]\n` }),
    "scripts/grade.py": "",
  });
  const { suites, library } = await readFolder(root);
  const problems = [...suites[0]!.problems, ...checkSuites({ suites, library })];
  expect(problems.map((problem) => problem.message)).toContainEqual(expect.stringContaining(message));
});

test("inputs.context.fixture is staged from the eval's folder: what is in a folder, or a file under its name", async () => {
  const staged = async (fixture: string) =>
    (await read({ [`${evals}/tasks/t.yaml`]: task(`inputs: { prompt: Go, context: { fixture: ${fixture} } }`) }))
      .cases[0];
  expect((await staged("fixtures"))?.files.map(({ path }) => path)).toEqual(["order.txt", "data/a.csv"]);
  expect((await staged("fixtures/data/a.csv"))?.files).toMatchObject([{ path: "a.csv" }]);
  expect((await staged("fixtures/gone"))?.faults).toMatchObject([{ code: "suite/missing-file" }]);
  expect((await staged("../../../.."))?.faults).toMatchObject([{ code: "suite/file-escapes" }]);
});

test("skills that an eval requires must be there", async () => {
  const { problems } = await read({
    [`${evals}/eval.yaml`]:
      "name: e\nskill: order-status\nconfig: { required_skills: [order-status, gone] }\ntasks: [tasks/*.yaml]\n",
    [`${evals}/tasks/t.yaml`]: task("inputs: { prompt: Go }"),
  });
  expect(problems).toMatchObject([
    { code: "suite/unknown-skill", message: expect.stringContaining('required_skills names "gone"') },
  ]);
});

// biome-ignore format: a table
test.each([
  ["eval.yaml", "hooks: { before_run: [{ command: x }] }"], ["eval.yaml", "mcp_mocks: [{ a: 1 }]"], ["eval.yaml", "command_mocks: [{ a: 1 }]"],
  ["eval.yaml", "adversarial: { pack: x }"], ["eval.yaml", "range: [1, 2]"], ["eval.yaml", "metrics: [{ name: m, threshold: 0.8 }]"], ["eval.yaml", "baseline: true"],
  ["config", "max_attempts: 3"], ["config", "mcp_servers: { a: {} }"], ["config", "instruction_files: [a.md]"], ["config", "env: { A: b }"], ["config", "system_prompt: x"],
  ["config", "agent: x"], ["config", 'disabled_skills: ["*"]'], ["config", "trigger_skill_routing: true"], ["config", "reasoning_effort: high"],
  ["config", "judge_reasoning_effort: low"], ["config", "fail_fast: true"], ["config", "group_by: model"], ["config", "sandbox: { a: 1 }"],
  ["task", "hooks: { after_task: [{ command: x }] }"], ["task", "max_attempts: 2"], ["task", "command_mocks: [{ a: 1 }]"], ["task", "checkpoints: [{ after_turn: 1 }]"],
  ["task", "instruction_files: [a.md]"], ["task", "skill_directories: [../x]"], ["inputs", "environment: { A: b }"], ["inputs", "workdir: src"],
])("%s: `%s` is named as having no effect, with its place and what to do instead", async (where, written) => {
  const inputs = where === "inputs" ? `{ prompt: Go, ${written} }` : "{ prompt: Go }";
  const config = where === "config" ? `{ trials_per_task: 1, ${written} }` : "{ trials_per_task: 1 }";
  const root = folderOf({
    [`${evals}/eval.yaml`]: `name: x\nskill: order-status\nconfig: ${config}\ntasks: [tasks/*.yaml]\n${where === "eval.yaml" ? written : ""}\n`,
    [`${evals}/tasks/t.yaml`]: `id: a\ninputs: ${inputs}\n${where === "task" ? written : ""}\ngraders: [{ type: text, config: { contains: [x] } }]\n`,
  });
  const { suites } = await readFolder(root);
  expect(suites[0]!.problems).toMatchObject([
    { code: "suite/ignored-setting", message: `${written.split(":")[0]} has no effect here.`, fix: expect.any(String), location: { line: expect.any(Number) } },
  ]);
});

test.each([
  ["a variable without a value", "inputs: { prompt: 'To {{.Vars.town}}' }", "suite/template-missing"],
  ["a fixture that is not there", "inputs: { prompt: Go, files: [{ path: gone.txt }] }", "suite/missing-file"],
  ["a path that leads out", "inputs: { prompt: Go, files: [{ path: ../../../x, content: y }] }", "suite/file-escapes"],
  [
    "a host's own file",
    "inputs: { prompt: Go, files: [{ path: .claude/settings.json, content: '{}' }] }",
    "suite/host-file",
  ],
  ["a prompt file outside", "inputs: { prompt_file: ../../../../../etc/passwd }", "suite/file-escapes"],
])("%s is told with its place", async (_what, body, code) => {
  const { problems } = await read({ [`${evals}/tasks/t.yaml`]: task(body) });
  expect(problems.filter((problem) => problem.code === code)).toMatchObject([
    { location: { file: expect.stringContaining("t.yaml"), line: expect.any(Number) } },
  ]);
});

test.skipIf(process.platform === "win32")(
  "evolve's files: a folder, a pattern and the permission to execute; links out and FIFOs are refused when read",
  async () => {
    const cases = (list: string[]) =>
      JSON.stringify({
        evals: [{ id: "a", prompt: "Go", files: list, assertions: [{ type: "file_exists", path: "x" }] }],
      });
    const own = "evals/order-status";
    const root = folderOf({
      [`${own}/evals.json`]: cases(["files/tree", "files/*.txt"]),
      [`${own}/files/tree/run.sh`]: "x",
      [`${own}/files/tree/b/c.md`]: "x",
      [`${own}/files/one.txt`]: "x",
      [`${own}/files/two.txt`]: "x",
    });
    chmodSync(join(root, own, "files/tree/run.sh"), 0o755);
    const { suites } = await readFolder(root);
    expect(suites[0]?.cases[0]?.files.map(({ path }) => path)).toEqual([
      "tree/run.sh",
      "tree/b/c.md",
      "one.txt",
      "two.txt",
    ]);

    const hostile = folderOf({
      [`${own}/evals.json`]: cases(["files/bad", "files/pipe"]),
      [`${own}/files/ok.txt`]: "x",
    });
    mkdirSync(join(hostile, own, "files/bad"));
    symlinkSync("/etc/passwd", join(hostile, own, "files/bad/passwd"));
    execFileSync("mkfifo", [join(hostile, own, "files/pipe")]);
    const refused = (await readFolder(hostile)).suites[0]!;
    expect(refused.cases[0]?.files ?? []).toEqual([]);
    expect(refused.problems.map(({ message }) => message)).toEqual([
      expect.stringContaining("passwd leads outside the examined folder"),
      expect.stringContaining("is not a regular file"),
    ]);
  },
);
