import { describe, expect, test } from "vitest";
import type { QuestionLine } from "../../src/records/index.ts";
import { compareRuns, type ScoreOptions } from "../../src/scores/index.ts";
import { caseQuestion, claude, embedded, fired, header, positive, score, trial } from "./build.ts";

const monday = "2026-11-16T10:00:00.000Z";
const tuesday = "2026-11-17T10:00:00.000Z";

interface Made {
  asked?: string[];
  parts?: Record<string, Parameters<typeof positive>[2]>;
  target?: typeof embedded;
  at?: string;
  cachedAt?: string;
  options?: ScoreOptions;
  runs?: number;
}

const run = (passing: string[], more: Made = {}) => {
  const { asked = ["a", "b", "c"], parts = {}, target = claude, at = monday, cachedAt, options, runs = 1 } = more;
  const questions = asked.map((id) => positive(id, id === "c" ? "faq" : "refund", { runs, ...parts[id] }));
  const cached = cachedAt === undefined ? {} : { cached: { measuredAt: cachedAt, savedMs: 1 } };
  const trials = [...new Set(questions.map(({ ask }) => ask))].flatMap((ask) => {
    const together = questions.filter((question) => question.ask === ask);
    const skills = together.filter((question) => passing.some((id) => question.id.endsWith(`#${id}`))).map(({ skill }) => skill!);
    const answer = { target: target.id, startedAt: at, ...cached };
    return Array.from({ length: runs }, (_, index) => trial(together, index + 1, fired(...new Set(skills)), answer));
  });
  return score([header({ targets: [target] }), ...questions, ...trials], options);
};

test("says which questions pass that failed, and of which skills", () => {
  expect(compareRuns(run(["a"]), run(["a", "b", "c"], { at: tuesday }), claude.id)).toMatchObject({
    target: "claude:haiku",
    n: 3,
    prompts: 3,
    passed: { before: 1, now: 3 },
    improved: [{ id: "triggers.yaml#b" }, { id: "triggers.yaml#c" }],
    worsened: [],
    skills: [
      { skill: "refund", n: 2, before: 1, now: 2 },
      { skill: "faq", n: 1, before: 0, now: 1 },
    ],
    leftOut: { sameAnswers: 0, askedOtherwise: 0, checkedOtherwise: 0 },
    difference: { value: expect.closeTo(2 / 3), p: 0.5 },
  });
});

test("leaves out what only one run asked, and questions whose prompt was edited", () => {
  const now = run(["b", "c"], { parts: { a: { prompt: "another" } }, at: tuesday });
  expect(compareRuns(run(["a"], { asked: ["a", "b"] }), now, claude.id)).toMatchObject({ n: 1, improved: [{}] });
  expect(compareRuns(run([], { asked: ["a"] }), run([], { asked: ["b"] }), claude.id)).toBeNull();
  expect(compareRuns(run([]), run([]), "codex:gpt")).toBeNull();
});

test("claims no noise on a target that answers the same each time", () => {
  const both = [run([], { target: embedded }), run(["a"], { target: embedded, at: tuesday })] as const;
  expect(compareRuns(...both, embedded.id)).toMatchObject({ improved: [{}], difference: null });
});

describe("nothing is claimed where nothing was measured anew", () => {
  const ids = ["a", "b", "c", "d", "e", "f", "g", "h"];

  test("another threshold on cached answers", () => {
    const before = run(ids, { asked: ids, options: { threshold: 0.9 } });
    const now = run(ids, { asked: ids, at: tuesday, cachedAt: monday, options: { threshold: 0.5 } });
    expect(compareRuns(before, now, claude.id)).toMatchObject({ n: 0, improved: [], leftOut: { sameAnswers: 8 }, difference: null });
  });

  test("the same trials, graded again", () => {
    expect(compareRuns(run([], { asked: ids }), run(ids, { asked: ids }), claude.id)).toMatchObject({
      n: 0,
      leftOut: { sameAnswers: 8 },
      difference: null,
    });
  });

  test("exclusive was dropped: what is checked otherwise is left out, though it was asked again", () => {
    const exclusive = Object.fromEntries(ids.map((id) => [id, { allowExtra: false }]));
    const now = run(ids, { asked: ids, at: tuesday });
    expect(compareRuns(run([], { asked: ids, parts: exclusive }), now, claude.id)).toMatchObject({
      n: 0,
      leftOut: { checkedOtherwise: 8 },
      difference: null,
    });
  });

  test("another grader of a case", () => {
    const made = (checks: string | undefined, passed: boolean, at: string, suite = "5u17e") => {
      const question: QuestionLine = { ...caseQuestion("case", "refund"), ...(checks === undefined ? {} : { checks }) };
      const check = { question: question.id, passed, score: Number(passed), message: "" };
      return score([
        header({ suite: { fingerprint: suite, files: [] } }),
        question,
        trial({ ...question, expect: positive("x", "refund").expect! }, 1, [], { startedAt: at, checks: [check] }),
      ]);
    };
    const compared = (before: ReturnType<typeof made>, now: ReturnType<typeof made>) => compareRuns(before, now, claude.id)!;
    expect(compared(made("one", false, monday), made("other", true, tuesday)).leftOut.checkedOtherwise).toBe(1);
    expect(compared(made("one", false, monday), made("one", true, tuesday))).toMatchObject({ n: 1, improved: [{}] });
    // A record of an earlier Proctor has no fingerprint of the checks: then the whole suite must be what it was.
    expect(compared(made(undefined, false, monday), made("one", true, tuesday)).n).toBe(1);
    expect(compared(made(undefined, false, monday, "edited"), made("one", true, tuesday)).leftOut.checkedOtherwise).toBe(1);
  });

  test("other files or limits", () => {
    const now = run(ids, { asked: ids, at: tuesday, parts: { a: { ask: "with a file" } } });
    expect(compareRuns(run([], { asked: ids }), now, claude.id)).toMatchObject({ n: 7, leftOut: { askedOtherwise: 1 } });
  });
});

test("the test is on shares of runs, clustered by ask", () => {
  const ids = ["a", "b", "c", "d", "e", "f"];
  const shared = Object.fromEntries(ids.map((id) => [id, { ask: "the same prompt" }]));
  const apart = compareRuns(run([], { asked: ids }), run(ids, { asked: ids, at: tuesday }), claude.id)!;
  expect(apart).toMatchObject({ n: 6, prompts: 6, difference: { value: 1, p: 0.03125 } });
  const together = compareRuns(run([], { asked: ids, parts: shared }), run(ids, { asked: ids, parts: shared, at: tuesday }), claude.id)!;
  expect(together).toMatchObject({ n: 6, prompts: 1, difference: { p: 1, low: -1, high: 1 } });
});
