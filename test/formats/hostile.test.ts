import { closeSync, ftruncateSync, openSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { checkSuites } from "../../src/check/index.ts";
import { readSuiteFile } from "../../src/exam/read/index.ts";
import { makeAsk } from "../../src/formats/index.ts";
import { folderOf, readFolder, sentence } from "./library.ts";

const good = '{ "triggers": [{ "query": "Where?", "should_trigger": true }] }';

async function survives(path: string, bytes: string | Uint8Array) {
  const root = folderOf({ "evals/order-status/triggers.json": good });
  writeFileSync(join(root, path), bytes);
  const { library, suites, problems } = await readFolder(root);
  checkSuites({ library, suites });
  expect(suites.flatMap((suite) => suite.triggers.map(sentence))).toContain("Where?: +order-status");
  return [...problems, ...suites.flatMap((suite) => suite.problems)].map(
    ({ code, location }) => `${code} ${location.file.slice(root.length + 1)}:${location.line ?? ""}`,
  );
}

const deep = (open: string, close: string, n: number) => open.repeat(n) + close.repeat(n);
const bomb = `a: &a [x, x, x, x, x, x, x, x, x]\n${[..."bcdefghi"].map((name, index) => `${name}: &${name} [${Array(9).fill(`*${"abcdefgh"[index]}`).join(", ")}]`).join("\n")}\ntriggers: [{ query: *i, should_trigger: true }]\n`;

test.each<[string, string, string | Uint8Array, string[]]>([
  [
    "JSON that breaks off",
    "evals/triggers.json",
    '{ "triggers": [\n  { "query": "x", ',
    ["suite/unreadable evals/triggers.json:2"],
  ],
  ["JSON nested too deep", "evals/triggers.json", deep("[", "]", 50_000), ["suite/unreadable evals/triggers.json:1"]],
  ["YAML nested too deep", "evals/triggers.yaml", deep("[", "]", 20_000), ["suite/unreadable evals/triggers.yaml:1"]],
  [
    "a bomb of YAML aliases",
    "evals/triggers.yaml",
    bomb,
    [expect.stringMatching(/^suite\/unreadable evals\/triggers.yaml:\d/) as unknown as string],
  ],
  [
    "YAML that contains itself",
    "evals/triggers.yaml",
    "triggers: &t\n  - query: x\n    should_trigger: true\n    files: *t\n",
    [expect.any(String) as unknown as string],
  ],
  ["YAML with tabs", "evals/triggers.yaml", "triggers:\n\t- query: x\n", ["suite/unreadable evals/triggers.yaml:2"]],
  ["an empty file", "evals/triggers.json", "", ["suite/unreadable evals/triggers.json:1"]],
  [
    "invalid UTF-8",
    "evals/triggers.json",
    Uint8Array.from([0x5b, 0xff, 0xfe, 0x22, 0x5d]),
    ["suite/unreadable evals/triggers.json:"],
  ],
  [
    "half a JSONL",
    "evals/routing.jsonl",
    '{"prompt":"a b","expect":"gift-wrap"}\n{"prompt":\n',
    ["suite/unreadable evals/routing.jsonl:2"],
  ],
])("%s is a problem, and the others are still read", async (_, path, bytes, problems) => {
  expect(await survives(path, bytes)).toEqual(problems);
});

test("a suite of 50 MB is a problem, not a wait", async () => {
  const root = folderOf({ "evals/order-status/triggers.json": good });
  const file = openSync(join(root, "evals", "triggers.json"), "w");
  ftruncateSync(file, 50 * 1024 * 1024);
  closeSync(file);
  const { suites, problems } = await readFolder(root);
  expect(suites).toHaveLength(1);
  expect(problems).toMatchObject([
    { code: "suite/too-large", message: "This file is not read: it has 50 MB; at most 8 MB are read." },
  ]);
});

test("what a case works on is no suite, and may be broken", async () => {
  const root = folderOf({
    "evals/order-status/triggers.json": good,
    "evals/order-status/files/triggers.json": '{ "triggers": [{ "query": "Not mine", "should_trigger": true }] }',
    "evals/order-status/files/broken.json": "{",
    "tests/fixtures/broken.json": '{ "prompt": ',
    "evals/order-status/results.json": "{",
  });
  const { suites, problems } = await readFolder(root);
  expect(suites.flatMap((suite) => suite.triggers.map(sentence))).toEqual(["Where?: +order-status"]);
  expect(problems).toEqual([]);
});

test("no glob of a suite takes for ever, whatever the files are called", async () => {
  const glob = `${"*a".repeat(30)}*b`;
  const long = "a".repeat(200);
  const { suites, problems } = await readFolder(
    folderOf({
      "evals/order-status/evals.json": JSON.stringify({
        evals: [{ prompt: "Do it", files: [`data/${glob}`], assertions: [{ type: "contains", value: "x" }] }],
      }),
      [`evals/order-status/data/${long}`]: "x",
      "evals/refund-policy/eval.yaml": `skill: refund-policy\nconfig: {}\ntasks: ["tasks/${glob}", "tasks/+(a+)+(a+)+(a+)+b"]\n`,
      [`evals/refund-policy/tasks/${long}`]: "inputs: { prompt: Do it }",
    }),
  );
  const said = [...problems, ...suites.flatMap((suite) => suite.problems)].map(({ message }) => message);
  expect(said).toEqual([
    expect.stringContaining(`The file "data/${glob}" does not exist`),
    expect.stringContaining(`No task file matches tasks/${glob}`),
  ]);
});

test("a circle of links is walked once", async () => {
  const root = folderOf({ "evals/order-status/triggers.json": good });
  symlinkSync(root, join(root, "evals", "loop"), "junction");
  expect((await readFolder(root)).suites).toHaveLength(1);
});

test("a BOM and Windows line ends change nothing", async () => {
  const yaml = "triggers:\n  - query: Where?\n    should_trigger: true\n";
  for (const [path, text] of Object.entries({
    "evals/gift-wrap/triggers.json": good,
    "evals/gift-wrap/triggers.yaml": yaml,
    "evals/gift-wrap/prompts.csv": "prompt,should_trigger\nWhere?,true\n",
  })) {
    const { suites, problems } = await readFolder(folderOf({ [path]: `\uFEFF${text.replaceAll("\n", "\r\n")}` }));
    expect(problems, path).toEqual([]);
    expect(
      suites.flatMap((suite) => suite.triggers.map(sentence)),
      path,
    ).toEqual(["Where?: +gift-wrap"]);
  }
});

const names = [
  "triggers.json",
  "evals.json",
  "eval.yml",
  "eval.yaml",
  "trigger_tests.yaml",
  "routing.jsonl",
  "prompts.csv",
  "trigger.md",
  "x.json",
];

test("no bytes make a reader throw", async () => {
  const root = folderOf({});
  const { library } = await readFolder(root);
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...names), fc.uint8Array({ maxLength: 200 }), async (name, bytes) => {
      writeFileSync(join(root, name), bytes);
      await readSuiteFile(join(root, name), library);
    }),
    { numRuns: 150 },
  );
});

test("no data makes a reader throw, and every question that is read can be asked", async () => {
  const root = folderOf({});
  const { library } = await readFolder(root);
  const words = fc.constantFrom(
    "order-status",
    "gift-wrap",
    "none",
    "",
    "yes",
    "no",
    "x y z",
    "/etc/passwd",
    "../x",
    "__proto__",
    "not gift-wrap",
    "maybe",
  );
  const keys = fc.constantFrom(
    "triggers",
    "evals",
    "cases",
    "query",
    "prompt",
    "should_trigger",
    "expect",
    "expected_skill",
    "skill",
    "skill_name",
    "files",
    "messages",
    "graders",
    "assert",
    "inputs",
    "inputs_from",
    "triggering",
    "should_match",
    "scenarios",
    "tasks",
    "config",
    "positive",
    "negative",
    "role",
    "content",
    "path",
    "type",
    "id",
    "tags",
    "runs",
    "skip",
    "constructor",
    "expectations",
    "also_fine",
    "candidates",
  );
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { depthSize: "medium", withCrossShrink: true },
      words,
      fc.boolean(),
      fc.constant(null),
      fc.double(),
      fc.array(tie("tree"), { maxLength: 3 }),
      fc.dictionary(keys, tie("tree"), { maxKeys: 5 }),
    ),
  }));
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...names.slice(0, 5)), tree, async (name, data) => {
      writeFileSync(join(root, name), JSON.stringify(data));
      const suite = await readSuiteFile(join(root, name), library);
      if (suite === null) return;
      checkSuites({ library, suites: [suite] });
      const questions = [...suite.triggers, ...suite.cases];
      for (const question of questions) expect(makeAsk(question, library).key).toMatch(/^[0-9a-f]{64}$/);
      expect(new Set(questions.map(({ id }) => id)).size).toBe(questions.length);
      for (const { location } of suite.problems) expect(location.file).toBeTruthy();
    }),
    { numRuns: 400 },
  );
});
