import fc from "fast-check";
import { expect, test } from "vitest";
import { createScorer, runsNeeded } from "../../src/exam/score/index.ts";
import type { QuestionLine, TrialLine, Verdict } from "../../src/model/index.ts";
import { claude, failedTrial, fired, header, negative, positive, trial } from "./build.ts";

type Answer = ("a" | "b")[] | "error";

/** The verdicts of an exam that asks until nothing can change, or every run. */
function verdicts(
  questions: QuestionLine[],
  answers: Answer[],
  rule: { earlyStop: boolean },
  threshold: number,
): Verdict[] {
  const scorer = createScorer({ threshold, negativeThreshold: threshold, earlyStop: rule.earlyStop });
  scorer.add(header());
  for (const question of questions) scorer.add(question);
  let done = 0;
  for (;;) {
    const needed = runsNeeded(scorer.standings(claude.id, "shared"), (planned) => Math.min(done, planned), rule);
    if (needed === 0) break;
    for (let i = 0; i < needed; i++) scorer.add(trialOf(questions, ++done, answers[done - 1]!));
  }
  return scorer.finish().targets[0]!.questions.map(({ verdict }) => verdict);
}

function trialOf(questions: QuestionLine[], run: number, answer: Answer): TrialLine {
  if (answer === "error") return failedTrial(questions[0]!, run, "timeout");
  return trial(questions, run, fired(...answer));
}

test("early stop changes no verdict, also where the questions on an ask plan different numbers of runs", () => {
  const question = fc.record({
    skill: fc.constantFrom("a", "b"),
    wants: fc.boolean(),
    runs: fc.integer({ min: 1, max: 9 }),
  });
  fc.assert(
    fc.property(
      fc.array(question, { minLength: 1, maxLength: 3 }),
      fc.array(fc.constantFrom<Answer>(["a"], ["b"], ["a", "b"], [], "error"), { minLength: 9, maxLength: 9 }),
      fc.constantFrom(0.2, 0.5, 2 / 3, 0.9),
      (parts, answers, threshold) => {
        const questions = parts.map(({ skill, wants, runs }, index) =>
          (wants ? positive : negative)(`q${index}`, skill, { ask: "shared", runs }),
        );
        const stopped = verdicts(questions, answers, { earlyStop: true }, threshold);
        expect(stopped).toEqual(verdicts(questions, answers, { earlyStop: false }, threshold));
      },
    ),
    { numRuns: 600 },
  );
});

test("a question counts the runs it plans itself: 3 hits in 5 pass, also when another question is asked 9 times", () => {
  const questions = [
    positive("five", "a", { ask: "shared", runs: 5 }),
    positive("nine", "b", { ask: "shared", runs: 9 }),
  ];
  const answers: Answer[] = [["a", "b"], ["b"], ["a", "b"], ["b"], ["a", "b"], ["b"], ["b"], ["b"], ["b"]];
  expect(verdicts(questions, answers, { earlyStop: false }, 0.5)).toEqual(["pass", "pass"]);
  expect(verdicts(questions, answers, { earlyStop: true }, 0.5)).toEqual(["pass", "pass"]);
});
