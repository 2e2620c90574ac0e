import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, describe, expect, test } from "vitest";
import { isSafeSegment } from "../../src/base/index.ts";
import { deliverFiles } from "../../src/cli/printing/write-report-files.ts";
import { type ExamAnswer, expectationsOf } from "../../src/formats/results.ts";
import type { QuestionLine, RecordLine, Transcript, TrialLine } from "../../src/model/index.ts";
import { parseReporters, type RenderOptions } from "../../src/reporters/index.ts";
import {
  caseQuestion,
  claude,
  embedded,
  failedTrial,
  fired,
  footer,
  header,
  negative,
  positive,
  score,
  trial,
} from "../score/build.ts";

const dir = mkdtempSync(join(tmpdir(), "proctor-tools-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const yes = positive("yes", "refund", { runs: 3 });
const no = negative("no", "refund", { runs: 3 });
const silent = positive("silent", "refund");
const fill = caseQuestion("fill", "refund", { name: "Fill the form", runs: { [claude.id]: 2 } });
const twin: QuestionLine = {
  ...fill,
  id: `${fill.id}~baseline`,
  ask: "ask twin",
  baseline: { of: fill.id, label: "without the skill" },
};
const other = caseQuestion("other", "faq", { runs: { [claude.id]: 1 } });

const parts = (passed: boolean) => [
  { grader: "file_exists", passed: true, message: "out.pdf is there", evidence: "out.pdf, 12 bytes" },
  { grader: "llm", passed, message: passed ? "it names the fields" : "it names no field" },
  { grader: "command", passed: null, message: "skipped: pdftotext is not installed" },
];
const statements = (passed: boolean) => [
  {
    grader: "expectations",
    passed,
    message: `${passed ? "holds" : "does not hold"}: It names every field`,
    evidence: "name, date",
  },
  { grader: "contains", passed, message: passed ? "it is there" : "it is not there" },
  { grader: "contains", passed: true, message: "so is this" },
];
const graded = (line: QuestionLine, run: number, passed: boolean, more: Partial<TrialLine> = {}): TrialLine =>
  trial(yes, run, fired("refund"), {
    ask: line.ask,
    checks: [{ question: line.id, passed, score: Number(passed), message: "", parts: parts(passed) }],
    usage: { inputTokens: 1000, cacheReadTokens: 600, outputTokens: 50 },
    costUsd: 0.0123456789,
    transcript: { segment: "1", offset: run, length: 1 },
    ...more,
  });

const lines: RecordLine[] = [
  header({ skills: ["refund", "faq"], options: { timeoutMs: 90_000 } }),
  ...[yes, no, silent, fill, twin, other],
  ...[1, 2, 3].map((run) => trial(yes, run, run === 3 ? [] : fired("refund"))),
  ...[1, 2, 3].map((run) => trial(no, run, run === 1 ? fired("refund") : fired("faq"))),
  failedTrial(silent, 1, "auth"),
  ...[graded(fill, 1, true), graded(fill, 2, false), graded(twin, 1, false), graded(twin, 2, false)],
  failedTrial(positive("x", "faq"), 1, "timeout", { ask: other.ask }),
  footer,
];
const scores = score(lines);
const transcript = {
  calls: [
    { turn: 1, id: "1", tool: "Bash", input: {}, ok: true },
    { turn: 2, id: "2", tool: "Bash", input: {}, ok: false, result: "no such file" },
    { turn: 2, id: "3", tool: "Write", input: {} },
  ],
  finalText: "Done.",
  turns: 2,
} as unknown as Transcript;
const sourceOf = (all: RecordLine[]): RenderOptions["source"] => ({
  async *lines() {
    yield* all;
  },
  transcript: async () => transcript,
  place: { run: "2026-11-15-a", dir: "/nowhere", file: "/nowhere/record.jsonl" },
});

async function documents(
  name: string,
  of = scores,
  all = lines,
): Promise<Record<string, ReturnType<typeof JSON.parse>>> {
  const [{ reporter } = { reporter: undefined }] = parseReporters(name);
  const found: Record<string, unknown> = {};
  for await (const { path, text } of reporter!.files!(of, { source: sourceOf(all) })) {
    for (const segment of path.split("/")) expect(isSafeSegment(segment), path).toBe(true);
    found[path] = JSON.parse(text);
  }
  let printed = "";
  for await (const piece of reporter!.render(of, { source: sourceOf(all) }) as AsyncIterable<string>) printed += piece;
  expect(JSON.parse(printed)).toEqual(found);
  return found;
}

test("evolve: a results.json per skill, with hits and runs, one graded result a case, and null where nothing was decided", async () => {
  const files = await documents("evolve");
  expect(Object.keys(files)).toEqual(["refund/results.json", "faq/results.json"]);
  const { triggers, evals } = files["refund/results.json"].models["claude/haiku"];
  expect(files["refund/results.json"]).toMatchObject({ schema: 5, plugin: "shop", skill: "refund" });
  expect(triggers).toMatchObject({
    ran_at: "2026-11-15T10:00:00Z",
    executed: true,
    timeout_seconds: 90,
    runs_per_query: 3,
    pricing: null,
  });
  expect(triggers.results).toEqual([
    { query: "query yes", should_trigger: true, hits: 2, runs: 3, passed: true, avg_run_seconds: 1 },
    { query: "query no", should_trigger: false, hits: 1, runs: 3, passed: true, avg_run_seconds: 1 },
    { query: "query silent", should_trigger: true, passed: null },
  ]);
  expect(triggers.summary).toEqual({ passed: 2, failed: 0, total: 3, pass_rate: 1, avg_run_seconds: 1 });
  expect(evals.results[0]).toMatchObject({
    id: "fill",
    name: "Fill the form",
    passed: true,
    measured: { input_tokens: 400, cache_read_input_tokens: 600, output_tokens: 50, cost_usd: 0.012346 },
    expectations: [
      { text: "file_exists", passed: true, evidence: "out.pdf is there: out.pdf, 12 bytes" },
      { text: "llm", passed: true, evidence: "it names the fields" },
      { passed: null },
    ],
    summary: { passed: 2, failed: 0, total: 3, skipped: 1, pass_rate: 1 },
    execution_metrics: { tool_calls: { Bash: 2, Write: 1 }, total_tool_calls: 3, total_steps: 2 },
    timing: { executor_duration_seconds: 1, total_tokens: 1050 },
  });
  expect(evals.baseline).toEqual({
    results: [{ id: "fill", passed: false, avg_run_seconds: 1 }],
    summary: { passed: 0, failed: 1, total: 1, pass_rate: 0 },
  });
  // An error is neither passed nor failed.
  expect(files["faq/results.json"].models["claude/haiku"].evals).toMatchObject({
    results: [{ id: "other", passed: null, runtime_error: "the timeout message" }],
    summary: { passed: 0, failed: 0, total: 1, errored: 1 },
  });
});

test("an expectation has the same text in every run: the statement that was judged, or the name of the check", () => {
  const found = [true, false].map((passed) =>
    expectationsOf({
      check: { question: "x", passed, score: 0, message: "", parts: statements(passed) },
    } as unknown as ExamAnswer),
  );
  expect(found.map((one) => one.map(({ text }) => text))).toEqual(
    Array(2).fill(["It names every field", "contains", "contains (2)"]),
  );
  expect(found[1]!.map(({ passed, evidence }) => [passed, evidence])).toEqual([
    [false, "name, date"],
    [false, "it is not there"],
    [true, "so is this"],
  ]);
});

test("evolve and skill-creator know no sibling: where the skill stays silent, its negative passes, whoever should have had the prompt", async () => {
  const elsewhere = negative("elsewhere", "refund", { required: ["faq"], runs: 2 });
  const all = [
    header({ skills: ["refund", "faq"] }),
    elsewhere,
    ...[1, 2].map((run) => trial(elsewhere, run, [])),
    footer,
  ];
  expect(score(all).targets[0]!.questions[0]).toMatchObject({ role: "negative", verdict: "fail" });
  const evolved = await documents("evolve", score(all), all);
  expect(evolved["refund/results.json"].models["claude/haiku"].triggers.results[0]).toMatchObject({
    should_trigger: false,
    hits: 0,
    passed: true,
  });
  const created = await documents("skill-creator", score(all), all);
  expect(created["refund/trigger-results.json"].results[0]).toMatchObject({
    should_trigger: false,
    triggers: 0,
    pass: true,
  });
});

test("evolve: two targets of one model are two entries", async () => {
  const both = [
    claude,
    { ...embedded, id: "copilot:haiku", identity: { ...claude.identity, provider: "claude", model: "haiku" } },
  ];
  const own = [header({ skills: ["refund"], targets: both }), yes, trial(yes, 1, fired("refund")), footer];
  const files = await documents("evolve", score(own), own);
  expect(Object.keys(files["refund/results.json"].models)).toEqual(["claude/haiku", "claude/haiku (copilot:haiku)"]);
});

test("skill-creator: a grading.json and timing.json per graded run, with and without the skill, and a benchmark over them", async () => {
  const files = await documents("skill-creator");
  expect(Object.keys(files)).toEqual([
    "refund/trigger-results.json",
    "refund/eval-1-fill-the-form/eval_metadata.json",
    ...["with_skill/run-1", "with_skill/run-2", "without_skill/run-1", "without_skill/run-2"].flatMap((run) => [
      `refund/eval-1-fill-the-form/${run}/grading.json`,
      `refund/eval-1-fill-the-form/${run}/timing.json`,
    ]),
    "refund/benchmark.json",
    "faq/eval-1-other/eval_metadata.json",
    "faq/benchmark.json",
  ]);
  expect(files["refund/trigger-results.json"]).toMatchObject({
    skill_name: "refund",
    results: [
      { triggers: 2, runs: 3, pass: true },
      { trigger_rate: 1 / 3, pass: true },
      { trigger_rate: null, runs: 0, pass: null },
    ],
    summary: { total: 3, passed: 2, failed: 0 },
  });
  expect(files["refund/eval-1-fill-the-form/with_skill/run-2/grading.json"]).toMatchObject({
    expectations: [{ passed: true }, { text: "llm", passed: false, evidence: "it names no field" }, { passed: null }],
    summary: { passed: 1, failed: 1, total: 3, pass_rate: 0.5 },
    execution_metrics: { total_tool_calls: 3, errors_encountered: 1 },
    timing: { total_duration_seconds: 1 },
  });
  const benchmark = files["refund/benchmark.json"];
  expect(benchmark.metadata).toMatchObject({
    skill_name: "refund",
    executor_model: "claude:haiku",
    evals_run: [1],
    runs_per_configuration: 2,
  });
  expect(benchmark.runs).toHaveLength(4);
  expect(Object.keys(benchmark.run_summary)).toEqual(["with_skill", "without_skill", "delta"]);
  expect(benchmark.run_summary.with_skill.pass_rate).toEqual({ mean: 0.75, stddev: 0.3536, min: 0.5, max: 1 });
  expect(benchmark.run_summary.delta).toEqual({ pass_rate: "+0.25", time_seconds: "+0.0", tokens: "+0" });
  // Nothing of it was graded, so nothing is averaged to 0.
  expect(files["faq/benchmark.json"]).toMatchObject({ runs: [], run_summary: {} });
});

test("waza: tasks with their runs, triggers with their counts, and errors in neither", async () => {
  const files = await documents("waza");
  const outcome = files["refund/results.json"];
  expect(outcome).toMatchObject({
    eval_id: "2026-11-15-a",
    skill: "refund",
    config: { runs_per_test: 3, timeout_sec: 90 },
    summary: { total_tests: 1, succeeded: 1, failed: 0, errors: 0, success_rate: 1 },
    trigger_metrics: {
      true_positives: 1,
      true_negatives: 1,
      false_positives: 0,
      false_negatives: 0,
      errors: 1,
      precision: 1,
      recall: 1,
    },
  });
  expect(outcome.trigger_results).toMatchObject([
    { prompt: "query yes", should_trigger: true, did_trigger: true },
    { prompt: "query no", should_trigger: false, did_trigger: false },
    { prompt: "query silent", did_trigger: false, error_msg: expect.stringContaining("no verdict") },
  ]);
  expect(outcome.tasks[0]).toMatchObject({
    test_id: "fill",
    status: "passed",
    stats: { pass_rate: 0.5, passed_runs: 1, failed_runs: 1, flaky: true, avg_score: 0.75 },
    skill_impact: { pass_rate_with_skills: 0.5, pass_rate_baseline: 0, delta: 0.5 },
  });
  expect(outcome.tasks[0].runs[1]).toMatchObject({
    run_number: 2,
    status: "failed",
    validations: {
      file_exists: { passed: true, score: 1 },
      llm: { passed: false, score: 0, feedback: "it names no field" },
    },
    session_digest: { tool_call_count: 3, tools_used: ["Bash", "Write"], errors: ["Bash: no such file"] },
    final_output: "Done.",
    skill_invocations: [{ name: "refund" }],
  });
  expect(outcome.tasks[0].runs[1].validations).not.toHaveProperty("command");
  expect(files["faq/results.json"]).toMatchObject({
    summary: { errors: 1, failed: 0 },
    tasks: [{ status: "error", runs: [{ status: "error" }] }],
  });
});

describe("the shapes that those tools publish", () => {
  // What evolve's schemas of grading, benchmark and results require of a file; other members are free there.
  const text = { type: "string" };
  const counts = { type: "integer", minimum: 0 };
  const expectation = {
    type: "object",
    required: ["text", "passed", "evidence"],
    properties: { text, evidence: text, passed: { type: ["boolean", "null"] } },
  };
  const summary = {
    type: "object",
    required: ["passed", "failed", "total"],
    properties: {
      passed: counts,
      failed: counts,
      total: counts,
      pass_rate: { type: ["number", "null"], minimum: 0, maximum: 1 },
    },
  };
  const entry = {
    type: "object",
    required: [
      "provider",
      "model",
      "display",
      "tool_version",
      "ran_at",
      "executed",
      "timeout_seconds",
      "results",
      "summary",
    ],
    properties: {
      ran_at: { type: "string", pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ$" },
      runs_per_query: { type: "integer", minimum: 1 },
      timeout_seconds: counts,
      summary: { type: "object", required: ["total"], properties: { passed: counts, failed: counts, total: counts } },
    },
  };
  const schemas: Record<string, object> = {
    "grading.json": {
      type: "object",
      required: ["expectations", "summary"],
      properties: { expectations: { type: "array", items: expectation }, summary },
    },
    "benchmark.json": {
      type: "object",
      required: ["metadata", "runs", "run_summary"],
      properties: {
        metadata: {
          type: "object",
          required: [
            "skill_name",
            "skill_path",
            "executor_model",
            "analyzer_model",
            "timestamp",
            "evals_run",
            "runs_per_configuration",
          ],
          properties: {
            evals_run: { type: "array", items: { type: ["string", "integer"] } },
            runs_per_configuration: { type: "integer", minimum: 1 },
          },
        },
        runs: {
          type: "array",
          items: {
            type: "object",
            required: ["eval_id", "configuration", "run_number", "result"],
            properties: {
              configuration: { enum: ["with_skill", "without_skill"] },
              run_number: { type: "integer", minimum: 1 },
            },
          },
        },
      },
    },
    "results.json": {
      type: "object",
      required: ["schema", "plugin", "skill", "models"],
      properties: {
        schema: { const: 5 },
        models: {
          type: "object",
          propertyNames: { pattern: "^[^/]+/." },
          additionalProperties: { type: "object", properties: { triggers: entry, evals: entry } },
        },
      },
    },
  };
  test.each(["evolve", "skill-creator"])("%s", async (name) => {
    const ajv = new Ajv2020({ strict: false });
    let checked = 0;
    for (const [path, document] of Object.entries(await documents(name))) {
      const schema = schemas[path.split("/").at(-1)!];
      if (schema === undefined) continue;
      const validate = ajv.compile(schema);
      expect(validate(document) || validate.errors, path).toBe(true);
      checked++;
    }
    expect(checked).toBeGreaterThan(1);
  });
});

test("a folder gets every file; one file that is named must be all there is", async () => {
  const [{ reporter } = { reporter: undefined }] = parseReporters("evolve");
  const files = () => reporter!.files!(scores, { source: sourceOf(lines) });
  await deliverFiles(files(), { name: "evolve", file: join(dir, "results") });
  expect(JSON.parse(readFileSync(join(dir, "results/faq/results.json"), "utf8"))).toMatchObject({ skill: "faq" });
  await expect(deliverFiles(files(), { name: "evolve", file: join(dir, "one.json") })).rejects.toThrow(
    /writes 2 files for this run/,
  );
  expect(existsSync(join(dir, "one.json"))).toBe(false);
  const own = [header({ skills: ["refund"] }), yes, trial(yes, 1, fired("refund")), footer];
  await deliverFiles(reporter!.files!(score(own), { source: sourceOf(own) }), {
    name: "evolve",
    file: join(dir, "one.json"),
  });
  expect(JSON.parse(readFileSync(join(dir, "one.json"), "utf8"))).toMatchObject({ schema: 5, skill: "refund" });
});
