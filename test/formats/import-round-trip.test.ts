import { rmSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalJson } from "../../src/base/index.ts";
import { discover } from "../../src/exam/find/index.ts";
import { importSuites, readSuites } from "../../src/exam/read/index.ts";
import type { Suite } from "../../src/model/index.ts";
import { folderOf } from "./library.ts";

/** The law of `proctor import`: what it writes asks the same questions as what it read. */
const skills = ["order-status", "refund-policy", "gift-wrap", "plugins/a/skills/same", "plugins/b/skills/same"];
const names = ["order-status", "refund-policy", "gift-wrap", "a:same", "b:same", "gone-skill"];

/** All that a run would ask and check, without places and ids. */
function questions(suites: readonly Suite[], root: string): string[] {
  return suites
    .flatMap((suite) =>
      [...suite.triggers, ...suite.cases].map(({ source: _source, id: _id, faults, ...question }) =>
        canonicalJson({
          ...question,
          runs: question.runs ?? suite.defaults.runs,
          limits: { timeoutSeconds: suite.defaults.timeoutSeconds, ...question.limits },
          skip: question.skip !== undefined || faults !== undefined,
          files: question.files.map((file) => ("content" in file ? file : { path: file.path })),
          ...(question.kind === "trigger" && {
            models: question.models ?? [],
            expect: { ...question.expect, forbidden_skills: question.expect.forbidden_skills.toSorted() },
          }),
        }),
      ),
    )
    .map((line) => line.replaceAll(root, ""))
    .sort();
}

async function roundTrip(files: Record<string, string>, to = "native") {
  const root = folderOf(files, skills);
  try {
    const found = await discover({ cwd: root, root });
    const library = found.libraries[0]!;
    const before = await readSuites({ library, files: found.files });
    const target = join(root, to);
    const { changed, written } =
      before.suites.length === 0
        ? { changed: [], written: [] }
        : await importSuites({ library, files: found.files, from: root, to: target });
    const after = await readSuites({ library, files: written.map(({ file }) => file) });
    return {
      changed,
      before: questions(before.suites, root),
      after: questions(after.suites, root),
      problems: after.suites.flatMap(({ problems }) => problems),
    };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

const words = fc.constantFrom(
  "Where is my parcel?",
  "Can I send it back?",
  "Wrap it",
  "What is the capital of Peru?",
  " two  spaces ",
  "línea\nnueva",
  "none",
  "null",
  "true",
  "42",
  "#x: {y}",
);
const name = fc.constantFrom(...names);
const some = fc.uniqueArray(name, { maxLength: 3 });
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const common = {
  id: maybe(fc.constantFrom("one", "two", 3)),
  tags: maybe(fc.constant(["smoke"])),
  runs: maybe(fc.integer({ min: 1, max: 5 })),
  skip: maybe(fc.constantFrom("later", true)),
  skip_providers: maybe(fc.constant(["google"])),
  split: maybe(fc.constant("train")),
  notes: maybe(fc.constant("why")),
  draft: maybe(fc.boolean()),
  messages: maybe(
    fc.constant([
      { role: "user", content: "Hello" },
      { role: "assistant", content: "Hi" },
    ]),
  ),
  files: maybe(fc.constantFrom([{ path: "a.txt", content: "x" }], ["files/there.txt"], ["files/gone.txt"])),
  max_turns: maybe(fc.integer({ min: 1, max: 9 })),
  timeout_seconds: maybe(fc.integer({ min: 1, max: 9 })),
};
const native = fc.record({
  query: words,
  should_trigger: fc.boolean(),
  expect: maybe(fc.oneof(name, some, fc.constant("none"), fc.constant(null))),
  also_fine: maybe(some),
  forbid: maybe(some),
  exclusive: maybe(fc.boolean()),
  mode: maybe(fc.constantFrom("in_order", "exact_match")),
  models: maybe(fc.constant(["haiku"])),
  ...common,
});
const row = fc.record({
  prompt: words,
  expected_skill: fc.oneof(name, fc.constant(null), fc.constant("neither"), some),
  forbidden_skills: maybe(some),
  acceptable_skills: maybe(some),
  skills_tested: maybe(some),
});
const grader = fc.oneof(
  fc.record({
    type: fc.constantFrom("contains", "matches", "unheard_of"),
    config: fc.constant({ value: "1.10" }),
    name: maybe(fc.constant("n")),
    weight: maybe(fc.constant(2)),
  }),
  fc.constant({ type: "llm", config: { text: "It is short" } }),
);
const evaluation = fc.record({
  prompt: words,
  name: maybe(words),
  expected_output: maybe(words),
  expectations: maybe(fc.array(words, { maxLength: 2 })),
  graders: maybe(fc.array(grader, { maxLength: 3 })),
  models: maybe(fc.constant(["haiku"])),
  ...common,
});
const task = fc.record({
  id: fc.constantFrom("t1", "t2"),
  inputs: fc.record({ prompt: words }),
  graders: fc.array(
    fc.record({
      type: fc.constant("skill_invocation"),
      config: fc.record({
        required_skills: some,
        forbidden_skills: some,
        mode: fc.constantFrom("any_order", "in_order", "exact_match"),
        allow_extra: fc.boolean(),
      }),
    }),
    { minLength: 1, maxLength: 2 },
  ),
});

const files: fc.Arbitrary<Record<string, string>> = fc.oneof(
  fc.array(native, { minLength: 1, maxLength: 5 }).map((triggers) => ({
    "evals/order-status/triggers.json": JSON.stringify({ triggers }),
    "evals/order-status/files/there.txt": "x",
  })),
  fc
    .array(row, { minLength: 1, maxLength: 5 })
    .map((rows) => ({ "tests/routing.json": JSON.stringify({ cases: rows }) })),
  fc
    .array(row, { minLength: 1, maxLength: 5 })
    .map((rows) => ({ "plugins/a/skills/same/evals/routing.json": JSON.stringify(rows) })),
  fc
    .tuple(fc.array(evaluation, { minLength: 1, maxLength: 4 }), fc.array(evaluation, { minLength: 1, maxLength: 2 }))
    .map(([a, b]) => ({
      "plugins/a/skills/same/evals/evals.json": JSON.stringify({ evals: a }),
      "plugins/a/skills/same/evals/files/there.txt": "one",
      "plugins/b/skills/same/evals/evals.json": JSON.stringify({ evals: b }),
      "plugins/b/skills/same/evals/files/there.txt": "another",
    })),
  fc.array(task, { minLength: 1, maxLength: 4 }).map((tasks) => ({
    "evals/gift-wrap/eval.yaml":
      "name: n\nskill: gift-wrap\nconfig: { trials_per_task: 2, timeout_seconds: 9 }\ntasks_from: all.json\n",
    "evals/gift-wrap/all.json": JSON.stringify({ tasks }),
  })),
);

test("any suite that can be read asks the same when it is imported", async () => {
  await fc.assert(
    fc.asyncProperty(files, fc.constantFrom("native", "evals/imported"), async (suite, to) => {
      const { changed, before, after, problems } = await roundTrip(suite, to);
      expect(changed).toEqual([]);
      expect(after).toEqual(before);
      expect(problems.filter(({ severity }) => severity === "error")).toEqual([]);
    }),
    { numRuns: 25 },
  );
});

describe("in particular", () => {
  test.each<[string, Record<string, string>]>([
    [
      "neither of two, and one of several",
      {
        "tests/pair.json": JSON.stringify({
          skills_tested: ["order-status", "refund-policy"],
          test_cases: [
            { prompt: "Wrap it", expected_skill: "neither" },
            { prompt: "Where is it?", expected_skill: "order-status", should_not_trigger: "refund-policy" },
          ],
        }),
      },
    ],
    [
      "the same name in two plugins",
      {
        "plugins/a/skills/same/evals/triggers.json": '[{"query":"x y","should_trigger":true}]',
        "plugins/b/skills/same/evals/triggers.json": '[{"query":"x y","should_trigger":false}]',
      },
    ],
    [
      "a template with its inputs",
      {
        "prompts/p/meta.yml": "id: p\ndescription: d\n",
        "prompts/p/prompt.xml": "<x>{{a}}</x>",
        "prompts/p/eval.yml":
          "defaults: { model: m }\ncases:\n  - name: c\n    inputs: { a: 1 }\n    rubric: Good?\n  - name: d\n    inputs: {}\n    rubric: Good?\n",
      },
    ],
    [
      "different files under one name",
      {
        "skills/gift-wrap/evals/evals.json": JSON.stringify({
          evals: [
            { prompt: "p", expectations: ["e"], files: ["files/a/x.txt"] },
            { prompt: "q", expectations: ["e"], files: [{ path: "a/x.txt", from: "files/b/x.txt" }] },
          ],
        }),
        "skills/gift-wrap/evals/files/a/x.txt": "a",
        "skills/gift-wrap/evals/files/b/x.txt": "b",
      },
    ],
    [
      "a schema in a file",
      {
        "skills/gift-wrap/evals/evals.json": JSON.stringify({
          evals: [{ prompt: "p", graders: [{ type: "json_schema", config: { value: "s.json" } }] }],
        }),
        "skills/gift-wrap/evals/s.json": '{"type":"object"}',
      },
    ],
  ])("%s", async (_what, suite) => {
    const { changed, before, after } = await roundTrip(suite);
    expect(changed).toEqual([]);
    const plain = (lines: string[]) => lines.map((line) => line.replace(/"(?:template|graders|prompt|judge)":.*/, ""));
    expect(plain(after)).toEqual(plain(before));
    expect(before.length).toBeGreaterThan(0);
  });
});
