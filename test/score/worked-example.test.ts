import { describe, expect, test } from "vitest";
import type { QuestionLine, Rate, Rates, RecordLine, TrialLine } from "../../src/model/index.ts";
import {
  caseQuestion,
  claude,
  failedTrial,
  fired,
  header,
  negative,
  positive,
  score,
  trial,
  trigger,
} from "./build.ts";

const runs = 2;
const moreBeta = trigger("more beta", { skill: "alpha", required: ["beta"], forbidden: ["alpha"], runs });

/** Questions on one ask, and what fired in each run, a turn after the other. `-` is nobody, `!` an error; a case passes or fails. */
const exam: [QuestionLine[], ...string[]][] = [
  [[positive("always", "alpha", { runs })], "alpha", "gamma alpha"],
  [[positive("at times", "alpha", { runs })], "alpha", "-"],
  [[positive("taken", "alpha", { runs })], "beta", "beta"],
  [[positive("half measured", "alpha", { runs })], "-", "!"],
  [[positive("unmeasured", "alpha", { runs })], "!", "!"],
  [[negative("silent", "alpha", { runs })], "-", "-"],
  [[negative("loud", "alpha", { runs })], "alpha", "alpha gamma"],
  [[moreBeta, positive("beta", "beta", { runs, ask: moreBeta.ask })], "beta", "alpha"],
  [[positive("not asked", "beta", { runs })]],
  [[positive("skipped", "beta", { runs, skipped: { [claude.id]: "it has no body" } })]],
  [[positive("invalid", "beta", { runs, invalid: "no skill of this name" })]],
  [[caseQuestion("right", "beta", { runs: { [claude.id]: runs } })], "pass", "pass"],
  [[caseQuestion("wrong", "beta", { runs: { [claude.id]: runs } })], "fail", "fail"],
];

const lines: RecordLine[] = [
  header({ skills: ["alpha", "beta", "gamma"] }),
  ...exam.flatMap(([questions]) => questions),
  ...exam.flatMap(([questions, ...outcomes]) => outcomes.map((what, index) => trialOf(questions, index + 1, what))),
];
const { plan, targets } = score(lines, { earlyStop: false });
const [target] = targets;

function trialOf(questions: QuestionLine[], run: number, what: string): TrialLine {
  // `!`: every ask has a question.
  const first = questions[0]!;
  if (what === "!") return failedTrial(first, run);
  const check = { question: first.id, passed: what === "pass", score: Number(what === "pass"), message: "" };
  if (first.kind === "case") return trial(first, run, [], { checks: [check] });
  const skills = what === "-" ? [] : what.split(" ");
  return trial(
    questions,
    run,
    fired(...skills.map((skill, index) => ({ skill, turn: index + 1, evidence: "loaded" as const }))),
  );
}

/** The value, its interval, how many questions it is over, and on how many prompts. */
function shown({ value, low, high, n, prompts }: Rate): string {
  return value === null ? "—" : `${value.toFixed(3)} [${low?.toFixed(3)} ${high?.toFixed(3)}] ${n} on ${prompts}`;
}

function ratesShown({ score, triggers, cases, recall, fpr, precision, f1, firstMove }: Rates): Record<string, string> {
  const all = {
    score,
    triggers,
    cases,
    recall,
    fpr,
    precision,
    f1,
    "recall at first": firstMove.recall,
    "fpr at first": firstMove.fpr,
  };
  return Object.fromEntries(Object.entries(all).map(([name, rate]) => [name, shown(rate)]));
}

test.each([
  // Two runs each; a share of hits of one half is enough. The certainty of a failure is what its interval leaves at least.
  ["always", "pass", "1.000 [0.224 1.000] 2 on 1", {}, undefined, undefined],
  ["at times", "pass, flaky", "0.500 [0.025 0.975] 2 on 1", { unused: 1 }, undefined, undefined],
  ["taken", "fail", "0.000 [0.000 0.776] 2 on 1", { sibling: 2 }, "sibling", 0.224],
  ["half measured", "fail", "0.000 [0.000 0.950] 1 on 1", { unused: 1, error: 1 }, "unused", 0.05],
  ["unmeasured", "inconclusive", "—", { error: 2 }, "error", undefined],
  ["silent", "pass", "0.000 [0.000 0.776] 2 on 1", {}, undefined, undefined],
  ["loud", "fail", "1.000 [0.224 1.000] 2 on 1", { misfire: 2 }, "misfire", 0.224],
  ["more beta", "pass, flaky", "0.500 [0.025 0.975] 2 on 1", { sibling: 1 }, undefined, undefined],
  ["beta", "pass, flaky", "0.500 [0.025 0.975] 2 on 1", { sibling: 1 }, undefined, undefined],
  ["not asked", "inconclusive", "—", {}, undefined, undefined],
  ["skipped", "inconclusive", "—", {}, undefined, undefined],
  ["invalid", "inconclusive", "—", {}, undefined, undefined],
  ["right", "pass", "1.000 [0.224 1.000] 2 on 1", {}, undefined, undefined],
  ["wrong", "fail", "0.000 [0.000 0.776] 2 on 1", { check: 2 }, "check", 0.224],
])("the question %j: %s, %s, for %j", (id, verdict, rate, causes, cause, certainty) => {
  const question = target!.questions.find((one) => one.id === `triggers.yaml#${id}`)!;
  expect({
    verdict: `${question.verdict}${question.flaky ? ", flaky" : ""}`,
    rate: shown(question.rate),
    causes: question.causes,
    cause: question.cause,
    certainty: question.certainty,
  }).toEqual({ verdict, rate, causes, cause, certainty });
});

describe("rates", () => {
  // Intervals of whole numbers of hits are mid-P intervals, as found by bisection in Python: 4 of 7, 2 of 3, 1 of 4, 1 of 2, 1 of 1.
  test("of alpha: 1, 0.5, 0 and 0 of its positives, 0, 1 and 0.5 of its negatives", () => {
    expect(ratesShown(target!.skills[0]!)).toEqual({
      score: "0.571 [0.216 0.877] 7 on 7",
      triggers: "0.571 [0.216 0.877] 7 on 7",
      cases: "—",
      recall: "0.375 [0.045 0.840] 4 on 4",
      fpr: "0.500 [0.061 0.939] 3 on 3",
      precision: "0.500 [0.102 0.900] 7 on 7",
      f1: "0.429 [0.063 0.784] 7 on 7",
      "recall at first": "0.250 [0.013 0.758] 4 on 4",
      "fpr at first": "0.500 [0.061 0.939] 3 on 3",
    });
  });

  test("of beta: 0.5 of its positive, one case of two", () => {
    expect(ratesShown(target!.skills[1]!)).toEqual({
      score: "0.667 [0.132 0.983] 3 on 3",
      triggers: "1.000 [0.050 1.000] 1 on 1",
      cases: "0.500 [0.025 0.975] 2 on 2",
      recall: "0.500 [0.002 0.998] 1 on 1",
      fpr: "—",
      precision: "—",
      f1: "—",
      "recall at first": "0.500 [0.002 0.998] 1 on 1",
      "fpr at first": "—",
    });
  });

  test("of all questions: two that share a prompt make the intervals wider than ten independent ones would", () => {
    expect(ratesShown(target!.total)).toEqual({
      score: "0.600 [0.264 0.876] 10 on 9",
      triggers: "0.625 [0.241 0.915] 8 on 7",
      cases: "0.500 [0.025 0.975] 2 on 2",
      recall: "0.400 [0.073 0.818] 5 on 5",
      fpr: "0.500 [0.061 0.939] 3 on 3",
      precision: "0.571 [0.170 0.930] 8 on 7",
      f1: "0.471 [0.104 0.806] 8 on 7",
      "recall at first": "0.300 [0.035 0.747] 5 on 5",
      "fpr at first": "0.500 [0.061 0.939] 3 on 3",
    });
  });

  test("as the plain mean over skills, where they have one", () => {
    expect(target!.macro).toEqual({
      score: expect.closeTo((4 / 7 + 2 / 3) / 2),
      recall: (0.375 + 0.5) / 2,
      fpr: 0.5,
      precision: 0.5,
      f1: expect.closeTo(3 / 7),
      skills: 2,
    });
  });

  test("pass@k and pass^k over the questions with k runs", () => {
    const attempts = target!.attempts.map(({ k, n, prompts, passAt, passAll }) => ({ k, n, prompts, passAt, passAll }));
    // Right in both runs: 3 of 9 (always, silent, right). In one: 3 (at times, more beta, beta). One more has one run, and was wrong.
    expect(attempts).toEqual([
      { k: 1, n: 10, prompts: 9, passAt: 4.5 / 10, passAll: 4.5 / 10 },
      { k: 2, n: 9, prompts: 8, passAt: 6 / 9, passAll: 3 / 9 },
    ]);
  });
});

test("coverage says of every question without a verdict why it has none", () => {
  const missing = { invalid: 0, notAsked: 0, errors: 0, undecided: 0, unsure: 0 };
  const [alpha, beta] = target!.skills;
  expect(alpha!.coverage).toEqual({ planned: 8, verdicts: 7, skipped: 0, missing: { ...missing, errors: 1 } });
  expect(beta!.coverage).toEqual({
    planned: 5,
    verdicts: 3,
    skipped: 1,
    missing: { ...missing, invalid: 1, notAsked: 1 },
  });
  expect(target!.total.coverage).toEqual({
    planned: 13,
    verdicts: 10,
    skipped: 1,
    missing: { ...missing, invalid: 1, notAsked: 1, errors: 1 },
  });
  expect([alpha!.flaky, beta!.flaky, target!.total.flaky]).toEqual([2, 1, 3]);
});

test("the plan counts what was planned, and how hard the negatives are", () => {
  const negatives = { negatives: 3, expectSibling: 1, belongToSibling: 1, hard: 1 };
  expect(plan).toEqual({
    questions: 14,
    prompts: 13,
    positive: 9,
    negative: 3,
    cases: 2,
    invalid: 1,
    skipped: 1,
    drafts: 0,
    skillsWithoutQuestions: ["gamma"],
    negatives,
  });
  expect(target!.skills.map((skill) => skill.negatives)).toEqual([
    { ...negatives, nearestSibling: "beta" },
    { negatives: 0, expectSibling: 0, belongToSibling: 0, hard: 0, nearestSibling: undefined },
  ]);
});

test("the matrix has each trial of a trigger once, by what fired first; what fired later is beside it", () => {
  const cells = target!.confusion.cells.map(
    ({ expected, fired: first, trials, wrong }) => `${expected} → ${first}: ${trials}, ${wrong} wrong`,
  );
  expect(cells.sort()).toEqual([
    "(not said) → (none): 2, 0 wrong",
    "(not said) → alpha: 2, 2 wrong",
    "alpha → (error): 3, 0 wrong",
    "alpha → (none): 2, 2 wrong",
    "alpha → alpha: 2, 0 wrong",
    "alpha → beta: 2, 2 wrong",
    "alpha → gamma: 1, 0 wrong",
    "beta → alpha: 1, 1 wrong",
    "beta → beta: 1, 0 wrong",
  ]);
  expect(target!.confusion.later).toEqual([
    { expected: "(not said)", fired: "gamma", trials: 1 },
    { expected: "alpha", fired: "alpha", trials: 1 },
  ]);
});

test("causes are counted by trial, and by the questions that fail for them", () => {
  expect(target!.causes).toEqual({
    misses: [
      { cause: "sibling", trials: 4, questions: 1 },
      { cause: "error", trials: 3, questions: 1 },
      { cause: "unused", trials: 2, questions: 1 },
      { cause: "check", trials: 2, questions: 1 },
    ],
    misfires: [{ skill: "alpha", trials: 2, questions: 1 }],
  });
  expect(target!.steals).toEqual([
    { thief: "beta", victim: "alpha", prompts: 1, trials: 2 },
    { thief: "alpha", victim: "beta", prompts: 1, trials: 1 },
  ]);
  expect(target!.skills.map(({ takesFrom }) => takesFrom)).toEqual([
    [{ skill: "beta", prompts: 1, trials: 1 }],
    [{ skill: "alpha", prompts: 1, trials: 2 }],
  ]);
});

test("thefts that are alike in prompts are ranked by trials, then by name", () => {
  const questions = ["a", "b", "c"].map((victim) => positive(victim, victim, { runs }));
  const taken = (index: number, run: number) => trial(questions[index]!, run, fired("thief"));
  const { steals } = score([header(), ...questions, taken(2, 1), taken(1, 1), taken(0, 1), taken(2, 2)]).targets[0]!;
  expect(steals.map(({ victim, prompts, trials }) => [victim, prompts, trials])).toEqual([
    ["c", 1, 2],
    ["a", 1, 1],
    ["b", 1, 1],
  ]);
});
