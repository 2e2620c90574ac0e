import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
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
    "expected: { output_contains: [a], output_not_contains: [b], output_contains_any: [c, d], matches: [e+], behavior: { max_tool_calls: 3 }, tool_calls: { required: [{ tool: bash }], forbidden: [web] }, outcomes: [{ type: task_completed }] }";
  const suite = await read({ [`${evals}/tasks/t.yaml`]: `id: t\nname: T\ninputs: { prompt: Go }\n${expected}\n` });
  expect(suite.cases[0]?.graders).toEqual([
    { type: "text", name: "expected", config: { contains: ["a"], not_contains: ["b"], contains_any: ["c", "d"], regex_match: ["e+"] } },
    { type: "behavior", name: "expected behavior", config: { max_tool_calls: 3 } },
    { type: "tool_calls", name: "expected tool_calls", config: { required_tools: ["bash"], forbidden_tools: ["web"] } },
    { type: "expectations", name: "expected outcomes", config: { statements: ["task completed"] } },
  ]);
});

test("what is not honoured is named, and a misspelt key has its did-you-mean: nothing is dropped in silence", async () => {
  const suite = await read(
    { [`${evals}/tasks/t.yaml`]: task("inputs: { prompt: Go, environment: { A: b }, promt_file: x }\nmax_attempts: 3\ngoldn: true") },
    "hooks: { before_run: [{ command: x }] }\nmcp_mocks: [{ a: 1 }]\n",
  );
  const told = suite.problems.map(({ code, message, fix, location }) => [code, message, fix, location.line !== undefined]);
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

// biome-ignore format: a table
test.each([
  ["eval.yaml", "hooks: { before_run: [{ command: x }] }"], ["eval.yaml", "mcp_mocks: [{ a: 1 }]"], ["eval.yaml", "command_mocks: [{ a: 1 }]"],
  ["eval.yaml", "adversarial: { pack: x }"], ["eval.yaml", "range: [1, 2]"], ["eval.yaml", "metrics: [{ name: m, threshold: 0.8 }]"], ["eval.yaml", "baseline: true"],
  ["config", "max_attempts: 3"], ["config", "mcp_servers: { a: {} }"], ["config", "instruction_files: [a.md]"], ["config", "env: { A: b }"], ["config", "system_prompt: x"],
  ["config", "agent: x"], ["config", 'disabled_skills: ["*"]'], ["config", "trigger_skill_routing: true"], ["config", "reasoning_effort: high"],
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
  ["a host's own file", "inputs: { prompt: Go, files: [{ path: .claude/settings.json, content: '{}' }] }", "suite/host-file"],
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
      JSON.stringify({ evals: [{ id: "a", prompt: "Go", files: list, assertions: [{ type: "file_exists", path: "x" }] }] });
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
    expect(suites[0]?.cases[0]?.files.map(({ path }) => path)).toEqual(["tree/run.sh", "tree/b/c.md", "one.txt", "two.txt"]);

    const hostile = folderOf({ [`${own}/evals.json`]: cases(["files/bad", "files/pipe"]), [`${own}/files/ok.txt`]: "x" });
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
