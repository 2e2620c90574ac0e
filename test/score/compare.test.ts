import { describe, expect, test } from "vitest";
import {
  type Comparison,
  compareExitCode,
  compareRuns,
  compareTargets,
  evaluateChangeGates,
  parseChangeGate,
  pText,
  regressions,
} from "../../src/exam/score/index.ts";
import type { QuestionLine, ScoreOptions } from "../../src/model/index.ts";
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
    const skills = together
      .filter((question) => passing.some((id) => question.id.endsWith(`#${id}`)))
      .map(({ skill }) => skill!);
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

describe("nothing is claimed where nothing was measured again", () => {
  const ids = ["a", "b", "c", "d", "e", "f", "g", "h"];

  test("another threshold on cached answers", () => {
    const before = run(ids, { asked: ids, options: { threshold: 0.9 } });
    const now = run(ids, { asked: ids, at: tuesday, cachedAt: monday, options: { threshold: 0.5 } });
    expect(compareRuns(before, now, claude.id)).toMatchObject({
      n: 0,
      improved: [],
      leftOut: { sameAnswers: 8 },
      difference: null,
    });
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
    const compared = (before: ReturnType<typeof made>, now: ReturnType<typeof made>) =>
      compareRuns(before, now, claude.id)!;
    expect(compared(made("one", false, monday), made("other", true, tuesday)).leftOut.checkedOtherwise).toBe(1);
    expect(compared(made("one", false, monday), made("one", true, tuesday))).toMatchObject({ n: 1, improved: [{}] });
    // A record of an earlier Proctor has no fingerprint of the checks: then the whole suite must be what it was.
    expect(compared(made(undefined, false, monday), made("one", true, tuesday)).n).toBe(1);
    expect(
      compared(made(undefined, false, monday, "edited"), made("one", true, tuesday)).leftOut.checkedOtherwise,
    ).toBe(1);
  });

  test("other files or limits", () => {
    const now = run(ids, { asked: ids, at: tuesday, parts: { a: { ask: "with a file" } } });
    expect(compareRuns(run([], { asked: ids }), now, claude.id)).toMatchObject({
      n: 7,
      leftOut: { askedOtherwise: 1 },
    });
  });
});

test("the test is on shares of runs, clustered by ask", () => {
  const ids = ["a", "b", "c", "d", "e", "f"];
  const shared = Object.fromEntries(ids.map((id) => [id, { ask: "the same prompt" }]));
  const apart = compareRuns(run([], { asked: ids }), run(ids, { asked: ids, at: tuesday }), claude.id)!;
  expect(apart).toMatchObject({ n: 6, prompts: 6, difference: { value: 1, p: 0.03125 } });
  const together = compareRuns(
    run([], { asked: ids, parts: shared }),
    run(ids, { asked: ids, parts: shared, at: tuesday }),
    claude.id,
  )!;
  expect(together).toMatchObject({ n: 6, prompts: 1, difference: { p: 1, low: -1, high: 1 } });
});

describe("gates on change", () => {
  const ids = ["a", "b", "c", "d", "e", "f", "g", "h"];
  const before = run(ids, { asked: ids });
  const now = run(ids.slice(1), { asked: ids, at: tuesday });
  const comparison = compareRuns(before, now, claude.id)!;
  const status = (gate: string) =>
    evaluateChangeGates([comparison], [parseChangeGate(gate)!], { before, now })[0]!.status;

  test.each([
    ["no-regression", "met"],
    ["recall drop<=0.05", "breached"],
    ["recall drop<=13%", "met"],
    ["score drop<=0.1", "breached"],
    ["lower(recall drop)<=0.05", "met"],
    ["upper(recall drop)<=0.05", "breached"],
    ["recall rise<=0", "met"],
    ["skill:faq recall drop<=0", "met"],
    ["skill:refund recall drop<=0.1", "breached"],
    ["skill:nobody no-regression", "unmeasured"],
    ["fpr rise<=0", "unmeasured"],
    ["new-thefts<=0", "met"],
    ["target:claude:haiku no-regression", "met"],
    ["target:codex:gpt no-regression", "unmeasured"],
  ])("%s is %s", (gate, expected) => expect(status(gate)).toBe(expected));

  test("a breached gate is printed with the digits that differ", () => {
    const twelve = Array.from({ length: 12 }, (_, at) => `q${at}`);
    const [all, eleven] = [run(twelve, { asked: twelve }), run(twelve.slice(1), { asked: twelve, at: tuesday })];
    const gates = [parseChangeGate("recall drop<=0.08")!];
    const [result] = evaluateChangeGates([compareRuns(all, eleven, claude.id)!], gates, { before: all, now: eleven });
    expect(result).toMatchObject({
      status: "breached",
      message: "the recall drop is 0.083 over 12 questions, the gate is <= 0.08",
    });
  });

  test("with the answers of the earlier run a gate is met, and says that nothing was compared", () => {
    const same = compareRuns(before, before, claude.id)!;
    const gates = ["no-regression", "recall drop<=0", "new-thefts<=0"].map((gate) => parseChangeGate(gate)!);
    for (const { status: how, message } of evaluateChangeGates([same], gates, { before, now: before })) {
      expect(how).toBe("met");
      expect(message).toBe("8 questions with the same answers as the earlier run: nothing can have changed");
    }
  });

  describe("what passed and has no verdict any more", () => {
    const [then, today] = [before.targets[0]!, run(ids, { asked: ids, at: tuesday }).targets[0]!];
    const without = (verdict: "unsure" | "inconclusive", which: number) => ({
      ...now,
      targets: [
        { ...today, questions: today.questions.map((one, index) => (index < which ? { ...one, verdict } : one)) },
      ],
    });
    const decide = (gate: string, scores: typeof now, minCoverage?: number, earlier = before) =>
      evaluateChangeGates([compareTargets(earlier.targets[0]!, scores.targets[0]!, true)], [parseChangeGate(gate)!], {
        before: earlier,
        now: scores,
        minCoverage,
      })[0]!;

    test.each(["no-regression", "recall drop<=0.05", "score drop<=0.1", "new-thefts<=0", "skill:refund no-regression"])(
      "keeps %s from being met",
      (gate) => {
        for (const verdict of ["unsure", "inconclusive"] as const)
          expect(decide(gate, without(verdict, 2))).toMatchObject({
            status: "unmeasured",
            value: null,
            message: expect.stringMatching(/^not decided, because 2 questions that passed have no verdict now: .*ask/),
          });
      },
    );

    test("leaves a gate alone that is about something else, and one that is breached anyway", () => {
      expect(decide("skill:faq no-regression", without("unsure", 2)).status).toBe("met");
      const worse = without("unsure", 1);
      const failing = worse.targets[0]!.questions.map((one, index) =>
        index > 5 ? { ...one, verdict: "fail" as const } : one,
      );
      expect(decide("score drop<=0.1", { ...worse, targets: [{ ...today, questions: failing }] }).status).toBe(
        "breached",
      );
    });

    test("is accepted as far as --min-coverage goes, and said", () => {
      expect(decide("no-regression", without("inconclusive", 2), 0.8).status).toBe("unmeasured");
      expect(decide("no-regression", without("inconclusive", 2), 0.75)).toMatchObject({
        status: "met",
        message: "nothing got worse beyond noise over 6 questions; 2 questions that passed have no verdict now",
      });
    });

    test("does not count what failed before, or had no verdict then either", () => {
      for (const verdict of ["fail", "unsure", "inconclusive"] as const) {
        const questions = then.questions.map((one, index) => (index < 2 ? { ...one, verdict } : one));
        const earlier = { ...before, targets: [{ ...then, questions }] };
        expect(decide("no-regression", without("inconclusive", 2), undefined, earlier).status).toBe("met");
      }
    });
  });

  test("a prompt that a sibling takes now, and did not before, is a theft", () => {
    const question = positive("x", "refund");
    const [then, today] = [fired("refund"), fired("faq")].map((activations, index) =>
      score([header(), question, trial(question, 1, activations, { startedAt: [monday, tuesday][index]! })]),
    );
    const compared = compareRuns(then!, today!, claude.id)!;
    expect(compared).toMatchObject({
      newThefts: [{ thief: "faq" }],
      flow: [{ from: "refund", to: "faq", prompts: 1, worsened: 1 }],
    });
    expect(
      evaluateChangeGates([compared], [parseChangeGate("new-thefts<=0")!], { before: then!, now: today! })[0]!.status,
    ).toBe("breached");
  });

  test("thefts are named once for each thief and victim, and a gate on a skill says its drop once", () => {
    const all = run(ids, { asked: ids });
    const none = ids.map((id) => positive(id, "refund"));
    const taken = score([
      header(),
      ...none,
      ...none.map((question) => trial(question, 1, fired("faq"), { startedAt: tuesday })),
    ]);
    const compared = compareRuns(all, taken, claude.id)!;
    const message = (gate: string) =>
      evaluateChangeGates([compared], [parseChangeGate(gate)!], { before: all, now: taken })[0]!.message;
    expect(message("new-thefts<=0")).toContain(
      `${compared.newThefts.length} prompts newly taken by a sibling (faq from refund ×${compared.newThefts.length})`,
    );
    expect(message("skill:refund no-regression")).toMatch(/^the share of right runs fell by 100 points \(p = \S+\)$/);
  });

  test.each(["recall drop>=0.1", "recal drop<=0.1", "no-regresion", "lower(score drop)<=0.1", "new-thefts<=x"])(
    "%s is not understood",
    (gate) => {
      expect(() => parseChangeGate(gate)).toThrow(/gate/);
    },
  );

  test("a gate on a rate itself is none", () => expect(parseChangeGate("recall>=0.8")).toBeUndefined());
});

describe("a regression", () => {
  const ids = ["a", "b", "d", "e", "f", "g", "h", "i"];

  test("is a drop beyond noise, of all or of a skill after correction; without noise, any question that fails now", () => {
    const worse = compareRuns(run(ids, { asked: ids }), run([], { asked: ids, at: tuesday }), claude.id)!;
    expect(regressions(worse).map(({ skill }) => skill)).toEqual([undefined, "refund"]);
    const better = compareRuns(run([], { asked: ids }), run(ids, { asked: ids, at: tuesday }), claude.id)!;
    expect(regressions(better)).toEqual([]);
    const sure = [run(["a"], { target: embedded }), run([], { target: embedded, at: tuesday })] as const;
    expect(regressions(compareRuns(...sure, embedded.id)!)).toMatchObject([
      { text: "1 of 3 questions passed before and fails now" },
    ]);
  });

  test("the p-values of skills are corrected for their number", () => {
    const many = Array.from({ length: 24 }, (_, index) => `q${index}`);
    const parts = Object.fromEntries(
      many.map((id, index) => [id, { skill: `skill-${index % 4}`, required: [`skill-${index % 4}`] }]),
    );
    const now = run(
      many.filter((_, index) => index % 4 !== 0),
      { asked: many, parts, at: tuesday },
    );
    const found = compareRuns(run(many, { asked: many, parts }), now, claude.id)!;
    // Six prompts that all fail have p = 2 / 2⁶ each: four skills make that 0.125.
    expect(found.skills[0]).toMatchObject({ skill: "skill-0", difference: { p: 0.03125 }, adjusted: 0.125 });
    expect(regressions(found)).toEqual([{ text: "the share of right runs fell by 25 points (p = 0.03)" }]);
  });
});

test("a question that a target cannot tell in one of the runs is not compared, and counted", () => {
  const [before, now] = [run(["a", "b", "c"]), run(["a", "b", "c"], { at: tuesday })];
  const [then, today] = [before.targets[0]!, now.targets[0]!];
  const open = {
    ...today,
    questions: today.questions.map((one, index) => (index === 0 ? { ...one, verdict: "unsure" as const } : one)),
  };
  expect(compareTargets(then, open, true)).toMatchObject({ n: 2, leftOut: { unsure: 1, noVerdict: 0 }, worsened: [] });
});

test("two runs that were made side by side are compared, unless their answers come from a cache", () => {
  const later = "2026-11-16T10:00:01.000Z";
  const made = (cachedAt?: string) =>
    compareRuns(run(["a"], { runs: 2 }), run([], { at: later, runs: 2, cachedAt }), claude.id)!;
  expect(made()).toMatchObject({ n: 3, worsened: [{}] });
  expect(made(monday)).toMatchObject({ n: 0, leftOut: { sameAnswers: 3 } });
});

test("pass@k and pass^k are what drawing k of the runs gives", () => {
  const question = positive("k", "refund", { runs: 4 });
  const lines = [
    header({ options: { earlyStop: false } }),
    question,
    ...[1, 2, 3, 4].map((n) => trial(question, n, n <= 2 ? fired("refund") : [])),
  ];
  // Of 4 runs 2 are right: C(2, 2) / C(4, 2) = 1/6 of the pairs are all right, and as many all wrong.
  expect(score(lines).targets[0]!.attempts).toMatchObject([
    { k: 1, n: 1, prompts: 1, passAt: 0.5, passAll: 0.5 },
    { k: 2, n: 1, prompts: 1, passAt: expect.closeTo(5 / 6), passAll: expect.closeTo(1 / 6) },
    { k: 3, n: 1, prompts: 1, passAt: 1, passAll: 0 },
  ]);
});

test("a p-value is written with as many digits as tell on which side of one in twenty it is", () => {
  expect([0.0002, 0.03, 0.0486, 0.0531, 0.12, 1].map(pText)).toEqual([
    "p = 0.0002",
    "p = 0.03",
    "p = 0.049",
    "p = 0.053",
    "p = 0.12",
    "p = 1.00",
  ]);
});

test("a question that only the later run cannot ask is no longer known; one that the earlier could not is new", () => {
  const questions = ["a", "b"].map((id) => positive(id, "refund"));
  const made = (invalid: boolean, startedAt: string) =>
    score([
      header(),
      ...questions.map((question, index) =>
        invalid && index === 0 ? { ...question, invalid: 'no skill "refund" in the library' } : question,
      ),
      ...questions.slice(invalid ? 1 : 0).map((question) => trial(question, 1, fired("refund"), { startedAt })),
    ]);
  const code = (comparison: Comparison, minCoverage = 1) =>
    compareExitCode({ whole: true, comparisons: [comparison], gates: [], allowPredicted: false, minCoverage });
  const gone = compareRuns(made(false, monday), made(true, tuesday), claude.id)!;
  expect(gone).toMatchObject({
    n: 1,
    unaskable: [{ id: "triggers.yaml#a", reason: 'no skill "refund" in the library' }],
    only: { before: [] },
  });
  expect([code(gone), code(gone, 0.5)]).toEqual([3, 0]);
  const fresh = compareRuns(made(true, monday), made(false, tuesday), claude.id)!;
  expect(fresh).toMatchObject({ n: 1, unaskable: [], only: { now: [{ id: "triggers.yaml#a" }] } });
  expect(code(fresh)).toBe(0);
});
