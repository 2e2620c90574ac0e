import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { agreement, evaluateGates, exitCode, parseGate, scoreRecord } from "../../src/exam/score/index.ts";
import {
  type Activation,
  asksBack,
  ERROR,
  NONE,
  NOT_SAID,
  type QuestionLine,
  type RecordLine,
  type TrialLine,
} from "../../src/model/index.ts";
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
  target,
  trial,
  trigger,
} from "./build.ts";

describe("verdicts", () => {
  test.each([
    { runs: "hhh", verdict: "pass", flaky: false },
    { runs: "hhm", verdict: "pass", flaky: true },
    { runs: "hmm", verdict: "fail", flaky: true },
    { runs: "hm", verdict: "pass", flaky: true },
    { runs: "mm", verdict: "fail", flaky: false },
    { runs: "hee", verdict: "inconclusive", flaky: false },
    { runs: "hhe", verdict: "pass", flaky: false },
    { runs: "eee", verdict: "inconclusive", flaky: false },
  ])("a positive with runs $runs: $verdict", ({ runs, verdict, flaky }) => {
    const question = positive("q", "a", { runs: 3 });
    const { targets } = score([header(), question, ...trials(question, runs, "a")]);
    expect(targets[0]!.questions[0]).toMatchObject({ verdict, flaky });
  });

  test.each([
    { runs: "mmm", verdict: "pass" },
    { runs: "hmm", verdict: "pass" },
    { runs: "hhm", verdict: "fail" },
    { runs: "hm", verdict: "fail" },
    { runs: "eem", verdict: "inconclusive" },
  ])("a negative whose skill fired in runs $runs: $verdict", ({ runs, verdict }) => {
    const question = negative("q", "a", { runs: 3 });
    const { targets } = score([header(), question, ...trials(question, runs, "a")]);
    expect(targets[0]!.questions[0]!.verdict).toBe(verdict);
  });

  test("a case passes when enough of its trials pass all checks, and one that could not be checked is not measured", () => {
    const question = caseQuestion("c", "a", { runs: { [claude.id]: 2 } });
    const check = (passed: boolean | null) => [{ question: question.id, passed, score: null, message: "no such file" }];
    const lines = (...results: (boolean | null)[]) => [
      header(),
      question,
      ...results.map((passed, index) => trial(trigger("c"), index + 1, [], { checks: check(passed) })),
    ];
    expect(score(lines(true, true)).targets[0]!.questions[0]!.verdict).toBe("pass");
    expect(score(lines(false, false)).targets[0]!.questions[0]).toMatchObject({ verdict: "fail", cause: "check" });
    expect(score(lines(null, null)).targets[0]!.questions[0]).toMatchObject({ verdict: "inconclusive", measured: 0 });
  });

  test("a deterministic target has no interval per question", () => {
    const question = positive("q", "a");
    const lines = [header({ targets: [embedded] }), question, trial(question, 1, fired("a"), { target: embedded.id })];
    expect(score(lines).targets[0]!.questions[0]!.rate).toEqual({ value: 1, n: 1, prompts: 1, low: null, high: null });
  });

  test("the thresholds of the record's header hold, unless others are given", () => {
    const question = positive("q", "a", { runs: 3 });
    const lines = [header({ options: { threshold: 0.9 } }), question, ...trials(question, "hhm", "a")];
    expect(score(lines).targets[0]!.questions[0]!.verdict).toBe("fail");
    expect(score(lines, { threshold: 0.5 }).targets[0]!.questions[0]!.verdict).toBe("pass");
  });

  test("a stricter rule of evidence grades the record's triggers again", () => {
    const question = positive("q", "a");
    const lines = [header(), question, trial(question, 1, [{ skill: "a", turn: 1, evidence: "read" }])];
    expect(score(lines).targets[0]!.questions[0]!.verdict).toBe("pass");
    expect(score(lines, { evidence: "loaded" }).targets[0]!.questions[0]!.verdict).toBe("fail");
  });

  test("with a confidence level, a question passes once its sequence has cleared the threshold, and is flaky while it has not", () => {
    const question = positive("q", "a", { runs: 20 });
    const verdict = (runs: string) =>
      score([header(), question, ...trials(question, runs, "a")], { confidence: 0.95 }).targets[0]!.questions[0];
    expect(verdict("hhhhhhhh")).toMatchObject({ verdict: "pass", flaky: false });
    expect(verdict("mmmmmmmm")).toMatchObject({ verdict: "fail", flaky: false });
    expect(verdict("hmhmhmhm")).toMatchObject({ verdict: "inconclusive", flaky: true });
    expect(verdict("hhh")).toMatchObject({ verdict: "inconclusive", flaky: true });
  });
});

describe("rates", () => {
  test("the unit is the question: recall is the mean of the positives' hit rates", () => {
    const [one, two] = [positive("1", "a", { runs: 4 }), positive("2", "a", { runs: 4 })];
    const { total } = score([header(), one, two, ...trials(one, "hhhh", "a"), ...trials(two, "hmmm", "a")], {
      earlyStop: false,
    }).targets[0]!;
    expect(total.recall).toMatchObject({ value: 0.625, n: 2 });
    expect(total.score).toMatchObject({ value: 0.5, n: 2 });
  });

  test("with early stop, rates use the first half of the runs and verdicts use all, whatever order the trials ended in", () => {
    const question = positive("q", "a", { runs: 3 });
    const ran = trials(question, "mhh", "a");
    for (const order of [ran, [...ran].reverse()]) {
      const { total, questions } = score([header(), question, ...order]).targets[0]!;
      expect(questions[0]).toMatchObject({ verdict: "pass", hits: 2, measured: 3, unbiased: { hits: 1, n: 2 } });
      expect(total.recall.value).toBe(0.5);
    }
  });

  test("rates of a simulated library are unbiased under early stop, and would not be over all measured runs", () => {
    let state = 7;
    const random = () => {
      state = (state * 48271) % 2147483647;
      return state / 2147483647;
    };
    let all = 0;
    const lines: RecordLine[] = [];
    const questions = Array.from({ length: 4000 }, (_, index) => positive(`s${index}`, "a", { runs: 3 }));
    for (const question of questions) {
      const runs = [random() < 0.7, random() < 0.7];
      if (runs[0] !== runs[1]) runs.push(random() < 0.7);
      all += runs.filter(Boolean).length / runs.length / questions.length;
      lines.push(...runs.map((hit, index) => trial(question, index + 1, hit ? fired("a") : [])));
    }
    const recall = score([header(), ...questions, ...lines]).targets[0]!.total.recall.value!;
    expect(Math.abs(recall - 0.7)).toBeLessThan(3 * Math.sqrt((0.7 * 0.3) / 8000));
    expect(all - 0.7).toBeGreaterThan(0.02);
  });

  test("nothing measured is null, not zero and not one", () => {
    const question = positive("q", "a");
    const { total } = score([header(), question]).targets[0]!;
    for (const rate of [total.score, total.recall, total.fpr, total.precision, total.f1])
      expect(rate).toMatchObject({ value: null, low: null, high: null });
  });

  test("precision is null when nothing fired, and without negatives", () => {
    const [yes, no] = [positive("yes", "a"), negative("no", "a")];
    expect(
      score([header(), yes, no, trial(yes, 1, []), trial(no, 1, [])]).targets[0]!.total.precision.value,
    ).toBeNull();
    expect(score([header(), yes, trial(yes, 1, fired("a"))]).targets[0]!.total.precision.value).toBeNull();
  });

  test("precision is that of the suite: of the questions on which the skill fired, the share that wanted it", () => {
    const questions = [positive("1", "a"), positive("2", "a"), negative("3", "a"), negative("4", "a")];
    const { precision, f1 } = score([
      header(),
      ...questions,
      ...questions.slice(0, 3).map((q) => trial(q, 1, fired("a"))),
      trial(questions[3]!, 1, []),
    ]).targets[0]!.total;
    expect(precision.value).toBeCloseTo(2 / 3);
    expect(f1.value).toBeCloseTo(0.8);
    expect(precision.low).toBeLessThan(2 / 3);
    expect(precision.high).toBeGreaterThan(2 / 3);
  });

  test("a provider that never ran scores nothing, not one half", () => {
    const questions = [positive("1", "a"), negative("2", "a")];
    const scores = score([header(), ...questions, ...questions.map((question) => failedTrial(question, 1, "auth"))]);
    expect(scores.targets[0]!.total.score.value).toBeNull();
    expect(scores.targets[0]!.total.coverage).toMatchObject({ planned: 2, verdicts: 0, missing: { errors: 2 } });
    expect(exitCode(scores)).toBe(3);
  });

  test("a skipped question leaves the denominator of that target only", () => {
    const question = positive("q", "a", { skipped: { [claude.id]: "skip_providers: anthropic" } });
    const other = positive("o", "a");
    const lines = [
      header({ targets: [claude, embedded] }),
      question,
      other,
      trial(other, 1, fired("a")),
      ...[question, other].map((q) => trial(q, 1, fired("a"), { target: embedded.id })),
    ];
    const [agent, router] = score(lines).targets;
    expect(agent!.total.coverage).toMatchObject({ planned: 1, verdicts: 1, skipped: 1 });
    expect(router!.total.coverage).toMatchObject({ planned: 2, verdicts: 2, skipped: 0 });
  });

  test("first-move rates stand beside any-turn rates", () => {
    const question = positive("q", "a");
    const { total } = score([header(), question, trial(question, 1, [{ skill: "a", turn: 3, evidence: "loaded" }])])
      .targets[0]!;
    expect(total.recall.value).toBe(1);
    expect(total.firstMove.recall.value).toBe(0);
  });

  test("a question that expects a sibling is a negative of its own skill, and no false positive when nobody fires", () => {
    const question = trigger("q", { skill: "a", required: ["b"], forbidden: ["a"] });
    const { skills, questions } = score([header(), question, trial(question, 1, [])]).targets[0]!;
    expect(questions[0]).toMatchObject({ role: "negative", verdict: "fail", cause: "unused" });
    expect(skills[0]).toMatchObject({
      skill: "a",
      fpr: { value: 0, n: 1 },
      negatives: { negatives: 1, expectSibling: 1, hard: 1, nearestSibling: "b" },
    });
  });
});

test("a judge, asked about one skill at a time, is scored on its own asks", () => {
  const judge = target("judge:haiku", { predicted: true });
  const own = { asks: { [judge.id]: "about a" }, runs: { [judge.id]: 1, [claude.id]: 1 } };
  const question = trigger("q", { skill: "a", required: ["b"], forbidden: ["a"], ...own });
  const asked = { target: judge.id, ask: "about a" };
  const yes = [{ skill: "a", turn: 1, evidence: "predicted" as const }];
  const onJudge = (lines: RecordLine[]) =>
    score([header({ targets: [claude, judge] }), question, ...lines]).targets[1]!;
  expect(onJudge([trial(question, 1, yes, asked)]).questions[0]).toMatchObject({
    verdict: "fail",
    cause: "misfire",
    role: "negative",
  });
  const silent = trial(question, 1, [], {
    ...asked,
    checks: [{ question: question.id, passed: true, score: 1, message: "" }],
  });
  expect(onJudge([silent]).questions[0]).toMatchObject({ verdict: "pass", hits: 0 });
  expect(onJudge([failedTrial(question, 1, "api", asked)]).questions[0]).toMatchObject({
    verdict: "inconclusive",
    errors: 1,
  });
  expect(onJudge([silent]).skills[0]!.negatives).toMatchObject({ negatives: 1, expectSibling: 1 });
});

describe("the confusion matrix", () => {
  test("counts every trial once, although several questions share it", () => {
    const yes = positive("q", "a");
    const no = negative("q2", "b", { ask: yes.ask });
    const { confusion } = score([header(), yes, no, trial([yes, no], 1, fired("b", "a"))]).targets[0]!;
    expect(confusion.cells).toEqual([{ expected: "a", fired: "b", trials: 1, wrong: 1 }]);
    expect(confusion.later).toEqual([{ expected: "a", fired: "a", trials: 1 }]);
  });

  test("has rows for none and not said, and columns for none and error", () => {
    const free = trigger("free", { allowExtra: false });
    const unsaid = negative("unsaid", "a");
    const { confusion } = score([
      header(),
      free,
      unsaid,
      trial(free, 1, fired("a")),
      failedTrial(unsaid, 1),
      trial(unsaid, 2, []),
    ]).targets[0]!;
    expect(confusion.cells).toEqual(
      expect.arrayContaining([
        { expected: NONE, fired: "a", trials: 1, wrong: 1 },
        { expected: NOT_SAID, fired: ERROR, trials: 1, wrong: 0 },
        { expected: NOT_SAID, fired: NONE, trials: 1, wrong: 0 },
      ]),
    );
  });

  test("siblings that steal are ranked by prompts", () => {
    const questions = [positive("1", "a"), positive("2", "a"), positive("3", "b")];
    const lines = [...questions.map((question) => trial(question, 1, fired("c"))), trial(questions[0]!, 2, fired("c"))];
    const { steals, skills } = score([header(), ...questions, positive("4", "c"), ...lines]).targets[0]!;
    expect(steals).toEqual([
      { thief: "c", victim: "a", prompts: 2, trials: 3 },
      { thief: "c", victim: "b", prompts: 1, trials: 1 },
    ]);
    expect(skills.find(({ skill }) => skill === "c")!.takesFrom).toHaveLength(2);
  });
});

describe("causes", () => {
  const a = (evidence: Activation["evidence"], turn = 1): Activation => ({ skill: "a", turn, evidence });
  test.each([
    { what: "nothing happened", activations: [], more: {}, cause: "unused" },
    { what: "it asked back", activations: [], more: { askedBack: true }, cause: "asked_back" },
    { what: "a sibling fired", activations: fired("b"), more: {}, cause: "sibling" },
    {
      what: "the load was refused, and a sibling fired",
      activations: [a("refused"), ...fired("b")],
      more: {},
      cause: "refused",
    },
    { what: "it was only mentioned", activations: [a("mentioned")], more: {}, cause: "unused" },
    {
      what: "only its name was shown",
      activations: fired("b"),
      more: { listing: [{ skill: "a", shown: "bare" as const }] },
      cause: "not_shown",
    },
    {
      what: "it was not listed",
      activations: [],
      more: { listing: [{ skill: "b", shown: "whole" as const }] },
      cause: "not_shown",
    },
    {
      what: "its description was cut",
      activations: [],
      more: { listing: [{ skill: "a", shown: "cut" as const }] },
      cause: "unused",
    },
  ])("of a miss when $what: $cause", ({ activations, more, cause }) => {
    const question = positive("q", "a");
    const { questions, causes } = score([header(), question, trial(question, 1, activations, more)]).targets[0]!;
    expect(questions[0]!.cause).toBe(cause);
    expect(causes.misses).toEqual([{ cause, trials: 1, questions: 1 }]);
  });

  test("of a positive beside which a forbidden skill fired: not as expected", () => {
    const question = positive("q", "a", { forbidden: ["b"] });
    expect(score([header(), question, trial(question, 1, fired("a", "b"))]).targets[0]!.questions[0]!.cause).toBe(
      "not_as_expected",
    );
  });

  test("of a false positive is what fired, and not what was allowed to", () => {
    const question = negative("q", "a");
    const { causes } = score([header(), question, trial(question, 1, fired("a", "b"))]).targets[0]!;
    expect(causes).toEqual({ misses: [], misfires: [{ skill: "a", trials: 1, questions: 1 }] });
  });

  test("are told in one line from what the router saw", () => {
    const silent = positive("s", "refund");
    const excluded = positive("x", "order");
    const second = negative("n", "order");
    const taken = trigger("t", { skill: "order", required: ["ship"], forbidden: ["order"] });
    const told = (line: TrialLine, message: string) => ({
      ...line,
      checks: line.checks.map((check) => ({ ...check, message })),
    });
    const beside = trigger("b", { skill: "order", required: ["order"], forbidden: ["ship"] });
    const ranked = (skill: string, points: number, words: string[]) => ({
      skill,
      score: points,
      probability: points,
      verdict: "silent" as const,
      words,
    });
    const lines = [
      header({ targets: [embedded] }),
      silent,
      excluded,
      second,
      trial(second, 1, [{ skill: "order", turn: 1, evidence: "predicted" }], {
        target: embedded.id,
        prediction: { needs: 0.68, ranking: [ranked("ship", 0.97, []), ranked("order", 0.95, ["parcel"])] },
      }),
      taken,
      trial(excluded, 1, [{ skill: "ship", turn: 1, evidence: "predicted" }], {
        target: embedded.id,
        prediction: {
          needs: 0.68,
          ranking: [ranked("ship", 0.79, ["commit"]), { ...ranked("order", 0.09, []), excluded: true }],
        },
      }),
      trial(silent, 1, [], { target: embedded.id, prediction: { needs: 0.68, ranking: [ranked("refund", 0.41, [])] } }),
      trial(taken, 1, [{ skill: "order", turn: 1, evidence: "predicted" }], {
        target: embedded.id,
        prediction: { needs: 0.68, ranking: [ranked("order", 0.91, ["deliver", "parcel"]), ranked("ship", 0.77, [])] },
      }),
      beside,
      told(
        trial(
          beside,
          1,
          fired({ skill: "order", turn: 1, evidence: "predicted" }, { skill: "ship", turn: 1, evidence: "predicted" }),
          {
            target: embedded.id,
            prediction: { needs: 0.68, ranking: [ranked("order", 0.91, ["parcel"]), ranked("ship", 0.77, [])] },
          },
        ),
        "ship fired, but must not",
      ),
    ];
    expect(score(lines).targets[0]!.questions.map((question) => question.why)).toEqual([
      "No skill fires: refund is nearest (0.41, needs 0.68). No word of the prompt is on the card of refund.",
      "ship fires (0.79); order is 0.09, excluded by its card or by the prompt. Shared: commit.",
      "It fires (0.95), behind ship (0.97). Shared: parcel.",
      "It fires (0.91); ship should win (0.77). Shared: deliver, parcel.",
      "It fires (0.91); ship fires too, but must not.",
    ]);
  });

  test("are told in one line from what an agent did, with what differs between its runs", () => {
    const question = positive("q", "a", { runs: 3 });
    const why = (...lines: RecordLine[]) => score([header(), question, ...lines]).targets[0]!.questions[0]!.why;
    const late = [{ skill: "b", turn: 4, evidence: "read" as const }];
    expect(why({ ...trial(question, 1, []), reason: "It is about something else" }, trial(question, 2, []))).toBe(
      "No skill was used. The judge: It is about something else.",
    );
    expect(why(trial(question, 1, []), trial(question, 2, []))).toBe("No skill was used.");
    expect(why(trial(question, 1, late), trial(question, 2, []), trial(question, 3, late))).toBe(
      "b was read instead, on turn 4 in 2 of 3 trials.",
    );
    expect(
      why(
        trial(question, 1, [], { listing: [{ skill: "a", shown: "bare" }] }),
        trial(question, 2, [], { listing: [{ skill: "a", shown: "bare" }] }),
      ),
    ).toBe("The model was shown only the name of a, not its description.");
    expect(why(...[1, 2, 3].map((run) => failedTrial(question, run)))).toBe(
      "3 of 3 trials ended in an error: rate limit (the rate_limit message)",
    );
  });

  test("an answer that ends with a question asks back", () => {
    expect(asksBack("I can do that.\n\n**Which file do you mean?**\n")).toBe(true);
    expect(asksBack("どのファイルですか？")).toBe(true);
    expect(asksBack("Is it done? Yes.")).toBe(false);
    expect(asksBack("")).toBe(false);
  });
});

describe("trials", () => {
  test("a measurement replaces an error of the same run, and nothing counts twice", () => {
    const question = positive("q", "a", { runs: 2 });
    const lines = [
      failedTrial(question, 1),
      trial(question, 1, fired("a")),
      trial(question, 1, fired("a")),
      trial(question, 2, fired("a")),
    ];
    const { trials: stats, questions, confusion } = score([header(), question, ...lines]).targets[0]!;
    expect(stats).toMatchObject({ total: 2, measured: 2, errors: {} });
    expect(questions[0]).toMatchObject({ measured: 2, hits: 2, errors: 0 });
    expect(confusion.cells).toEqual([{ expected: "a", fired: "a", trials: 2, wrong: 0 }]);
  });

  test("a target that costs nothing does not make a judge without a price free", () => {
    const script = target("script:answers.yaml");
    const questions = ["1", "2", "3"].map((id) => positive(id, "a", { runs: { [script.id]: 1 } }));
    const { trials: stats } = score([
      header({ targets: [script] }),
      ...questions,
      trial(questions[0]!, 1, fired("a"), { target: script.id, costUsd: 0 }),
      trial(questions[1]!, 1, fired("a"), { target: script.id }),
      { ...failedTrial(questions[2]!, 1), target: script.id },
    ]).targets[0]!;
    expect(stats.cost).toMatchObject({ known: 2, unknown: 1 });
  });

  test("cost counts failed attempts, leaves out the cache, and unknown is not zero", () => {
    const questions = ["1", "2", "3"].map((id) => positive(id, "a"));
    const { trials: stats } = score([
      header(),
      ...questions,
      trial(questions[0]!, 1, fired("a"), {
        costUsd: 0.02,
        attempts: [
          { ms: 1, costUsd: 0.01 },
          { ms: 1, costUsd: 0.02 },
        ],
      }),
      trial(questions[1]!, 1, fired("a")),
      trial(questions[2]!, 1, fired("a"), {
        cached: { measuredAt: "2026-11-01T00:00:00.000Z", savedMs: 900, savedUsd: 0.05 },
      }),
    ]).targets[0]!;
    expect(stats.cost).toMatchObject({ known: 1, unknown: 1 });
    expect(stats.cost.usd).toBeCloseTo(0.03);
    expect(stats).toMatchObject({ cached: 1, retries: 1, savedUsd: 0.05, oldestCached: "2026-11-01T00:00:00.000Z" });
  });

  test("any order of the same trials gives the same scores", () => {
    const questions = [
      positive("1", "a", { runs: 3 }),
      negative("2", "a", { runs: 3 }),
      trigger("3", { skill: "b", required: ["a"], forbidden: ["b"], runs: 3 }),
    ];
    const outcomes = fc.array(fc.constantFrom("a", "b", "none", "error"), { minLength: 9, maxLength: 9 });
    fc.assert(
      fc.property(outcomes, fc.infiniteStream(fc.nat()), (results, keys) => {
        const lines = results.map((result, index) => {
          const question = questions[index % 3]!;
          const run = Math.floor(index / 3) + 1;
          return result === "error"
            ? failedTrial(question, run)
            : trial(question, run, result === "none" ? [] : fired(result));
        });
        const shuffled = lines
          .map((line) => ({ line, key: keys.next().value as number }))
          .sort((x, y) => x.key - y.key);
        const plan = [header(), ...questions];
        expect(score([...plan, ...shuffled.map(({ line }) => line)])).toEqual(score([...plan, ...lines]));
      }),
      { numRuns: 50 },
    );
  });
});

describe("gates and exit codes", () => {
  test.each([
    ["recall>=0.8", { metric: "recall", operator: ">=", limit: 0.8, bound: "estimate" }],
    ["skill:go-style score>=0.75", { skill: "go-style", metric: "score" }],
    ["lower(recall) >= 70%", { bound: "lower", limit: 0.7 }],
    [
      "target:claude:haiku skill:a upper(fpr)<=0.2",
      { target: "claude:haiku", skill: "a", bound: "upper", operator: "<=" },
    ],
  ])("%s is understood", (text, expected) => {
    expect(parseGate(text)).toMatchObject(expected);
  });

  test.each(["recal>=0.8", "recall=0.8", "recall>=80", "", "skill:a", "lower(coverage)>=1"])(
    "%j is refused with a hint or a reason",
    (text) => {
      expect(() => parseGate(text)).toThrow(/gate/);
    },
  );

  const yes = positive("yes", "a");
  const no = negative("no", "a");
  const hit = trial(yes, 1, fired("a"));
  const miss = trial(yes, 1, []);
  const silent = trial(no, 1, []);
  const onEmbedded = (line: typeof hit) => ({ ...line, target: embedded.id });

  test.each([
    { what: "everything passes", lines: [hit, silent], options: {}, code: 0 },
    { what: "a question fails", lines: [miss, silent], options: {}, code: 1 },
    { what: "a question fails, and the gate is met", lines: [miss, silent], options: { gates: ["fpr<=0.1"] }, code: 0 },
    { what: "a gate is breached", lines: [miss, silent], options: { gates: ["recall>=0.8"] }, code: 1 },
    {
      what: "a gate on a lower bound is breached",
      lines: [hit, silent],
      options: { gates: ["lower(recall)>=0.8"] },
      code: 1,
    },
    { what: "a gate had nothing to measure", lines: [hit, silent], options: { gates: ["cases>=0.5"] }, code: 3 },
    {
      what: "a gate names a skill without questions",
      lines: [hit, silent],
      options: { gates: ["skill:b score>=0.5"] },
      code: 3,
    },
    { what: "a question has no verdict", lines: [hit], options: {}, code: 3 },
    { what: "half have a verdict, and half is enough", lines: [hit], options: { minCoverage: 0.5 }, code: 0 },
    { what: "a question failed and another has no verdict", lines: [miss], options: {}, code: 1 },
    { what: "nothing was asked", lines: [], options: { minCoverage: 0 }, code: 3 },
  ])("$code when $what", ({ lines, options, code }) => {
    expect(exitCode(score([header(), yes, no, ...lines, footer], options))).toBe(code);
  });

  test("a gate on a target that was not in the run is not met", () => {
    const scores = score([header(), yes, no, hit, silent]);
    const [here, elsewhere] = evaluateGates(scores, [
      parseGate("target:claude:haiku recall>=1"),
      parseGate("target:codex:mini recall>=0.1"),
    ]);
    expect(here).toMatchObject({ status: "met", value: 1, n: 1 });
    expect(elsewhere).toMatchObject({ status: "unmeasured", value: null });
  });

  test("a predicted target never leads to 1, unless that is allowed", () => {
    const lines = [header({ targets: [embedded] }), yes, no, onEmbedded(miss), onEmbedded(silent), footer];
    expect(exitCode(score(lines))).toBe(0);
    expect(exitCode(score(lines, { gates: ["recall>=0.8"] }))).toBe(0);
    expect(exitCode(score(lines, { allowPredicted: true }))).toBe(1);
    expect(exitCode(score([header({ targets: [embedded] }), yes, no]))).toBe(3);
  });

  test("an interrupted run ends with 130", () => {
    expect(exitCode(score([header(), yes, miss, { ...footer, how: "interrupted" }]))).toBe(130);
  });

  test("a run without an end, or with damage, is no result, whatever its gates", () => {
    expect(exitCode(score([header(), yes, no, hit, silent]))).toBe(3);
    expect(exitCode(score([header(), yes, no, hit, silent], { gates: ["recall>=0.1"] }))).toBe(3);
    const scores = score([header(), yes, no, hit, silent, footer]);
    expect(exitCode({ ...scores, run: { ...scores.run, damage: ["record.jsonl:3 is damaged"] } })).toBe(3);
  });
});

test("two targets are compared on the questions on which both have a verdict", () => {
  const questions = [positive("1", "a"), positive("2", "a"), negative("3", "a"), negative("4", "a")];
  const other = target("codex:mini");
  const lines: RecordLine[] = [
    header({ targets: [claude, other] }),
    ...questions,
    ...questions.map((question) => trial(question, 1, question.positive ? fired("a") : [])),
    ...questions
      .slice(0, 3)
      .map((question, index) => trial(question, 1, index === 0 ? fired("a") : [], { target: other.id })),
  ];
  expect(agreement(score(lines), claude.id, other.id)).toMatchObject({
    n: 3,
    agreed: 2,
    positives: { n: 2, agreed: 1 },
    negatives: { n: 1, agreed: 1 },
    differ: [{ id: questions[1]!.id, first: "pass", second: "fail" }],
  });
  expect(agreement(score(lines), claude.id, "nobody")).toBeNull();
});

test("a record is scored as a stream", async () => {
  const question = positive("q", "a");
  async function* lines() {
    yield header();
    yield question;
    yield trial(question, 1, fired("a"));
  }
  expect((await scoreRecord(lines())).targets[0]!.total.score.value).toBe(1);
});

/** h: the skill fired, m: it did not, e: an error. */
function trials(question: QuestionLine, runs: string, skill: string): RecordLine[] {
  return [...runs].map((run, index) =>
    run === "e" ? failedTrial(question, index + 1) : trial(question, index + 1, run === "h" ? fired(skill) : []),
  );
}
