import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { gradeTrigger } from "../../src/graders/index.ts";
import type { Prediction, Ranked, SkillInvocation, Transcript } from "../../src/model/index.ts";

type Verdicts = Record<string, Ranked["verdict"] | "excluded">;

const expects = (config: Partial<SkillInvocation>): SkillInvocation => ({
  required_skills: [],
  forbidden_skills: [],
  also_fine: [],
  mode: "any_order",
  allow_extra: true,
  ...config,
});

function predicted(verdicts: Verdicts, more: Partial<Prediction> = {}): Transcript {
  const ranking = Object.entries(verdicts).map(([skill, verdict]): Ranked => {
    const ranked = { skill, score: 0.5, probability: 0.5, words: [] };
    return verdict === "excluded" ? { ...ranked, verdict: "silent", excluded: true } : { ...ranked, verdict };
  });
  const activations = ranking
    .filter(({ verdict }) => verdict === "fires")
    .map(({ skill }) => ({ skill, turn: 1, evidence: "predicted" as const }));
  return {
    outcome: { status: "activations", activations },
    activations,
    calls: [],
    texts: [],
    finalText: "",
    turns: 1,
    how: "completed",
    prediction: { ranking, needs: 0.8, silentBelow: 0.2, ...more },
  };
}

const grade = (config: Partial<SkillInvocation>, verdicts: Verdicts, more?: Partial<Prediction>) =>
  gradeTrigger(expects(config), predicted(verdicts, more)).passed;

const A: Partial<SkillInvocation> = { required_skills: ["A"] };
const notA: Partial<SkillInvocation> = { forbidden_skills: ["A"] };

describe("a question has a verdict only where what it hangs on is sure", () => {
  test.each<[string, Partial<SkillInvocation>, Verdicts, boolean | null]>([
    ["a positive whose skill fires passes", A, { A: "fires", B: "uncertain" }, true],
    ["a positive whose skill is uncertain is open", A, { A: "uncertain" }, null],
    ["… also when a sibling fires", A, { A: "uncertain", B: "fires" }, null],
    ["a positive whose skill is silent while a sibling fires fails", A, { A: "silent", B: "fires" }, false],
    ["… be it ranked or not", A, { B: "fires" }, false],
    ["a positive that nobody fires on is open: people paraphrase", A, { A: "silent" }, null],
    ["… be it ranked or not", A, {}, null],
    ["… unless its card excludes the prompt", A, { A: "excluded" }, false],
    ["a negative whose skill is silent passes", notA, { A: "silent", B: "uncertain" }, true],
    ["… be it ranked or not", notA, {}, true],
    ["a negative whose skill fires fails", notA, { A: "fires", B: "uncertain" }, false],
    ["a negative whose skill is uncertain is open", notA, { A: "uncertain", B: "fires" }, null],
    ["a stand-in that fires is enough", { ...A, also_fine: ["B"] }, { A: "uncertain", B: "fires" }, true],
    ["a stand-in is no sibling that wins", { ...A, also_fine: ["B"] }, { A: "silent", B: "uncertain" }, null],
    [
      "one of two required skills is no sibling either",
      { required_skills: ["A", "B"] },
      { A: "fires", B: "silent" },
      null,
    ],
    [
      "a forbidden skill that fires decides, whatever is open",
      { ...A, forbidden_skills: ["B"] },
      { A: "uncertain", B: "fires" },
      false,
    ],
    [
      "a forbidden skill that is open leaves it open",
      { ...A, forbidden_skills: ["B"] },
      { A: "fires", B: "uncertain" },
      null,
    ],
    ["no skill may fire, and none does", { allow_extra: false }, { A: "silent" }, true],
    ["no skill may fire, and one might", { allow_extra: false }, { A: "uncertain" }, null],
    ["no skill may fire, and one does", { allow_extra: false }, { A: "uncertain", B: "fires" }, false],
    ["no other may fire, and one might", { ...A, allow_extra: false }, { A: "fires", B: "uncertain" }, null],
    ["exactly these, and another might fire too", { ...A, mode: "exact_match" }, { A: "fires", B: "uncertain" }, null],
    [
      "in order, and one is open",
      { required_skills: ["A", "B"], mode: "in_order" },
      { A: "uncertain", B: "fires" },
      null,
    ],
  ])("%s", (_name, config, verdicts, passed) => {
    expect(grade(config, verdicts)).toBe(passed);
  });
});

test("the message names the skill that is open, and there is no score", () => {
  expect(gradeTrigger(expects(notA), predicted({ A: "uncertain" }))).toMatchObject({
    passed: null,
    score: null,
    message: "cannot tell whether A would fire",
  });
});

test("where it can tell nothing, skills that are not ranked are open too", () => {
  const unsure = "language" as const;
  expect(grade(notA, {}, { unsure })).toBeNull();
  expect(grade(A, {}, { unsure })).toBeNull();
  expect(grade({ allow_extra: false }, {}, { unsure })).toBeNull();
  expect(grade(A, { A: "fires" }, { unsure })).toBe(true);
  expect(grade(notA, { A: "fires" }, { unsure })).toBe(false);
});

test("a prediction that knows two answers only is graded as it always was", () => {
  const two = { silentBelow: undefined };
  expect(grade(A, { A: "uncertain" }, two)).toBe(false);
  expect(grade(A, {}, two)).toBe(false);
  expect(grade(notA, { A: "uncertain" }, two)).toBe(true);
});

test("whatever the open skills would do, a verdict that was given holds", () => {
  const skills = ["A", "B", "C"];
  const verdict = fc.constantFrom("fires", "uncertain", "silent", "excluded") as fc.Arbitrary<
    Ranked["verdict"] | "excluded"
  >;
  const verdicts = fc.record({ A: verdict, B: verdict, C: verdict });
  const part = fc.subarray(skills);
  const config = fc
    .record({ required_skills: part, forbidden_skills: part, also_fine: part, allow_extra: fc.boolean() })
    .map((one) => ({
      ...one,
      forbidden_skills: one.forbidden_skills.filter((skill) => !one.required_skills.includes(skill)),
    }));
  fc.assert(
    fc.property(config, verdicts, fc.subarray(skills), (one, given, fire) => {
      const passed = grade(one, given);
      if (passed === null) return;
      const world = Object.fromEntries(
        Object.entries(given).map(([skill, was]) => [
          skill,
          was === "uncertain" ? (fire.includes(skill) ? "fires" : "silent") : was,
        ]),
      ) as Verdicts;
      expect(grade(one, world, { silentBelow: undefined })).toBe(passed);
    }),
  );
});

test("a skill that the record knows by name alone is open like those it ranks", () => {
  const further = { uncertain: ["C"] };
  expect(grade({ forbidden_skills: ["C"] }, { A: "fires" }, further)).toBeNull();
  expect(grade({ forbidden_skills: ["D"] }, { A: "fires" }, further)).toBe(true);
  expect(grade({ allow_extra: false }, {}, further)).toBeNull();
  expect(grade({ allow_extra: false }, {})).toBe(true);
});
