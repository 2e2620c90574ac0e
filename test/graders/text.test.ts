import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { checkGrader, defineGrader, gradeQuestion, graders } from "../../src/graders/index.ts";
import type { GraderSpec, Transcript } from "../../src/model/index.ts";

const said = (finalText: string): Transcript => ({
  outcome: { status: "activations", activations: [] },
  activations: [],
  calls: [],
  texts: [{ turn: 1, text: finalText }],
  finalText,
  turns: 1,
  how: "completed",
});
const grade = (specs: GraderSpec[], text: string, suiteDir?: string) =>
  gradeQuestion(specs, said(text), { prompt: "p", ...(suiteDir === undefined ? {} : { suiteDir }) });

describe("assertions about the reply", () => {
  const reply = "A <diff> of 42 lines.\nDone";
  test.each<[string, unknown, boolean]>([
    ["contains", "<diff>", true],
    ["contains", "<DIFF>", false],
    ["contains", 42, true],
    ["not_contains", "<patch>", true],
    ["not_contains", "Done", false],
    ["contains_any", ["nope", "Done"], true],
    ["contains_any", ["nope", "done"], false],
    ["contains_all", ["<diff>", "Done"], true],
    ["contains_all", ["<diff>", "done"], false],
    ["matches", "\\d+ lines", true],
    ["matches", "^Done", false],
    ["matches", "(?m)^Done$", true],
    ["not_matches", "(?i)todo", true],
    ["not_matches", "(?i)DONE", false],
    ["min_tokens", 6, true],
    ["min_tokens", 7, false],
    ["max_tokens", 6, true],
    ["max_tokens", 5, false],
  ])("%s %j: %s", async (type, value, passed) => {
    const graded = await grade([{ type, config: { value } }], reply);
    expect(graded.passed).toBe(passed);
    expect(graded.score === 1).toBe(passed);
  });

  test("a list that is met in part has a score in between", async () => {
    expect(await grade([{ type: "contains_all", config: { value: ["Done", "x"] } }], reply)).toMatchObject({
      passed: false,
      score: 0.5,
      message: 'the reply does not contain "x"',
    });
  });

  test("a pattern cannot hang an exam", async () => {
    const graded = await grade([{ type: "matches", config: { value: "^(a+)+$" } }], `${"a".repeat(50_000)}!`);
    expect(graded.passed).toBe(false);
  });
});

describe("json_schema", () => {
  const value = {
    type: "object",
    required: ["items"],
    properties: { items: { type: "array", items: { type: "string", pattern: "^(a+)+$" } } },
  };
  test.each<[string, string, boolean, RegExp]>([
    ["a reply that is JSON", '{"items":["aa"]}', true, /matches/],
    ["JSON in a fence", 'Here:\n```json\n{"items":[]}\n```\nBye', true, /matches/],
    ["a fence that is not JSON, then one that is", '```sh\nls\n```\n```json\n{"items":[]}\n```', true, /matches/],
    ["a missing member", "{}", false, /must have required property 'items'/],
    ["a wrong member", '{"items":[1]}', false, /\/items\/0 must be string/],
    ["a pattern that would take for ever", `{"items":["${"a".repeat(40)}!"]}`, false, /pattern/],
    ["prose", "no", false, /not JSON/],
  ])("%s", async (_name, reply, passed, message) => {
    const graded = await grade([{ type: "json_schema", config: { value } }], reply);
    expect(graded).toMatchObject({ passed, message: expect.stringMatching(message) });
  });

  test("reads its schema from a file beside the suite, in the draft it names", async () => {
    const folder = mkdtempSync(join(tmpdir(), "proctor-schema-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    writeFileSync(
      join(folder, "s.json"),
      JSON.stringify({ $schema: "http://json-schema.org/draft-07/schema#", items: [{ type: "string" }] }),
    );
    const spec = { type: "json_schema", config: { value: "s.json" } };
    expect(await grade([spec], '["a"]', folder)).toMatchObject({ passed: true });
    expect(await grade([spec], "[1]", folder)).toMatchObject({ passed: false });
    expect(await grade([spec], "[1]")).toMatchObject({ passed: null, message: expect.stringContaining("s.json") });
  });

  test("a schema that makes no sense is skipped, and says so", async () => {
    expect(await grade([{ type: "json_schema", config: { value: { type: "text" } } }], "{}")).toMatchObject({
      passed: null,
      score: null,
    });
  });
});

describe("a question with several graders", () => {
  const yes = { type: "contains", config: { value: "a" } };
  const no = { type: "contains", config: { value: "z" } };
  const unknown = { type: "telepathy", config: {} };

  test("passes when all pass, and its score is their weighted mean", async () => {
    expect(await grade([yes, yes], "a")).toMatchObject({ passed: true, score: 1 });
    expect(await grade([{ ...yes, weight: 3 }, no], "a")).toMatchObject({
      passed: false,
      score: 0.75,
      message: 'the reply does not contain "z"',
    });
  });

  test("is decided by the rest where a grader is not known, and says what was not checked", async () => {
    expect(await grade([yes, unknown], "a")).toMatchObject({
      passed: true,
      message: 'the reply contains "a"; not checked: there is no grader `telepathy`',
    });
    expect(await grade([unknown], "a")).toMatchObject({
      passed: null,
      message: "not checked: there is no grader `telepathy`",
    });
    expect(await grade([no, unknown], "a")).toMatchObject({ passed: false });
    expect(await grade([], "a")).toMatchObject({ passed: null, score: null });
  });
});

test.each<[string, unknown]>([
  ["contains", { value: "" }],
  ["contains", { value: null }],
  ["contains", {}],
  ["contains_any", { value: [] }],
  ["matches", { value: "(" }],
  ["matches", { value: "(?=look)ahead" }],
  ["max_tokens", { value: -1 }],
  ["json_schema", { value: 3 }],
  ["telepathy", {}],
])("a %s with %j is rejected before anything is asked", (type, config) => {
  expect(checkGrader({ type, config }).status).toBe("rejected");
});

test("every grader has a name of its own", () => {
  const types = graders.map((grader) => grader.type);
  expect(new Set(types).size).toBe(types.length);
  expect(defineGrader(graders[0]!)).toBe(graders[0]);
});

test.each([
  [2, true],
  [1, false],
])("real tokens are counted when asked for: at most %i of two", async (value, passed) => {
  const spec = { type: "max_tokens", config: { value: { value, tokenizer: "o200k_base" } } };
  const graded = await gradeQuestion([spec], said("one two"), { prompt: "" });
  expect(graded).toMatchObject({ passed, message: `the reply has 2 o200k_base tokens, at most ${value} are allowed` });
});
