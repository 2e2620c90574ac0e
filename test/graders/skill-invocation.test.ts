import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  checkSkillInvocation,
  decided,
  gradeQuestion,
  gradeTrigger,
  hit,
  isPositive,
} from "../../src/graders/index.ts";
import type { Activation, Evidence, SkillInvocation, Transcript } from "../../src/model/index.ts";

const expects = (config: Partial<SkillInvocation>): SkillInvocation => ({
  required_skills: [],
  forbidden_skills: [],
  also_fine: [],
  mode: "any_order",
  allow_extra: true,
  ...config,
});
const activations = (skills: string[], evidence: Evidence = "loaded"): Activation[] =>
  skills.map((skill, index) => ({ skill, turn: index + 1, evidence }));
const transcript = (fired: Activation[]): Transcript => ({
  outcome: { status: "activations", activations: fired },
  activations: fired,
  calls: [],
  texts: [],
  finalText: "",
  turns: fired.length,
  how: "completed",
});
const grade = (config: Partial<SkillInvocation>, fired: string[]) => {
  const { passed, score } = gradeTrigger(expects(config), transcript(activations(fired)));
  return { passed, score: score === null ? null : Math.round(score * 1000) / 1000 };
};

describe("the proposal's table", () => {
  test.each<[string[], string[], boolean, string[], boolean]>([
    // required, forbidden, allow_extra, fired, passed
    [["A", "B"], [], true, ["A", "B"], true],
    [["A", "B"], [], true, ["A", "B", "C"], true],
    [["A", "B"], [], true, ["A"], false],
    [["A", "B"], [], false, ["A", "B"], true],
    [["A", "B"], [], false, ["A", "B", "C"], false],
    [[], ["X"], true, [], true],
    [[], ["X"], true, ["A"], true],
    [[], ["X"], true, ["X"], false],
    [[], ["X"], true, ["A", "X"], false],
    [["A"], ["X"], true, ["A"], true],
    [["A"], ["X"], true, ["A", "B"], true],
    [["A"], ["X"], true, ["A", "X"], false],
    [["A"], ["X"], true, [], false],
    [["A"], ["X"], false, ["A"], true],
    [["A"], ["X"], false, ["A", "B"], false],
    [["A"], ["X"], false, ["A", "X"], false],
    [[], ["X"], false, [], true],
    [[], ["X"], false, ["A"], false],
    [[], ["X"], false, ["X"], false],
    [[], [], false, [], true],
    [[], [], false, ["A"], false],
  ])(
    "required %j, forbidden %j, allow_extra %s: %j fired → passed %s",
    (required_skills, forbidden_skills, allow_extra, fired, passed) => {
      expect(grade({ required_skills, forbidden_skills, allow_extra }, fired).passed).toBe(passed);
    },
  );
});

describe("modes and scores", () => {
  test.each<[Partial<SkillInvocation>, string[], boolean, number]>([
    [{ required_skills: ["A"] }, ["A"], true, 1],
    [{ required_skills: ["A"] }, ["A", "B"], true, 1],
    [{ required_skills: ["A"], mode: "in_order" }, ["B", "A"], true, 1],
    [{ required_skills: ["A"], allow_extra: false }, ["A", "B"], false, 0.667],
    [{ required_skills: ["A"], mode: "exact_match" }, ["A", "B"], false, 0.667],
    [{ required_skills: ["A"] }, ["A", "A"], true, 1],
    // As waza grades it: same length, order and names. In its other modes a repeat changes nothing.
    [{ required_skills: ["A"], mode: "exact_match" }, ["A", "A"], false, 0.667],
    [{ required_skills: ["A", "B"], mode: "exact_match" }, ["A", "B", "A"], false, 0.8],
    [{ required_skills: ["A", "A"], mode: "exact_match" }, ["A", "A"], true, 1],
    [{ required_skills: ["A"], mode: "in_order" }, ["A", "A"], true, 1],
    [{ required_skills: ["A"], allow_extra: false }, ["A", "B", "C", "D", "E"], false, 0.333],
    [{ required_skills: ["A", "B"], mode: "in_order" }, ["B", "A"], false, 0.5],
    [{ required_skills: ["A", "B"], mode: "in_order" }, ["A", "X", "B"], true, 1],
    [{ required_skills: ["A", "B"], mode: "in_order", allow_extra: false }, ["A", "X", "B"], false, 0.8],
    [{ required_skills: ["A", "B"], mode: "in_order" }, ["B", "A", "B"], true, 1],
    [{ required_skills: ["A", "B"], mode: "exact_match" }, ["B", "A"], false, 0.5],
    [{ required_skills: ["A", "B"], mode: "exact_match" }, ["A", "B"], true, 1],
    [{ required_skills: ["A", "A"] }, ["A"], false, 0.667],
    [{ required_skills: ["A", "A"] }, ["A", "B", "A"], true, 1],
    [{ required_skills: ["A", "A"], allow_extra: false }, ["A", "A", "A"], false, 0.8],
    [{ required_skills: ["A"] }, [], false, 0],
    [{ required_skills: ["A"], forbidden_skills: ["B"] }, ["A", "B"], false, 0],
    [{ required_skills: ["A"], forbidden_skills: ["B"] }, ["A", "C"], true, 1],
    [{ required_skills: ["A"], also_fine: ["Y"] }, ["Y"], true, 1],
    [{ required_skills: ["A"], also_fine: ["Y"], allow_extra: false }, ["A", "Y"], true, 1],
    [{ required_skills: ["A"], also_fine: ["Y"], mode: "exact_match" }, ["Y"], true, 1],
    [{ required_skills: ["A"], also_fine: ["Y"], allow_extra: false }, ["Y", "Z"], false, 0.667],
    [{ required_skills: ["A"], also_fine: ["Y"] }, ["Z"], false, 0],
    [{ also_fine: ["Y"], allow_extra: false }, ["Y"], true, 1],
    // A required skill that is also listed as fine stands in for nobody but itself.
    [{ required_skills: ["A", "B"], also_fine: ["A"] }, ["A"], false, 0.667],
    [{ required_skills: ["A", "B"], also_fine: ["A", "Y"] }, ["A", "B"], true, 1],
    [{ required_skills: ["A", "B"], also_fine: ["A", "Y"] }, ["Y"], true, 1],
  ])("%j with %j fired", (config, fired, passed, score) => {
    expect(grade(config, fired)).toEqual({ passed, score });
  });

  test("only counted evidence counts", () => {
    const config = expects({ required_skills: ["A"] });
    const passes = (evidence: Evidence, rule?: "any" | "loaded") =>
      gradeTrigger(config, transcript(activations(["A"], evidence)), rule ? { evidence: rule } : {}).passed;
    expect((["loaded", "read", "called", "predicted"] as const).map((evidence) => passes(evidence))).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect((["refused", "mentioned"] as const).map((evidence) => passes(evidence))).toEqual([false, false]);
    expect((["loaded", "read", "called", "predicted"] as const).map((evidence) => passes(evidence, "loaded"))).toEqual([
      true,
      false,
      false,
      true,
    ]);
  });

  test("there is one check per forbidden entry, and the message says what fired", () => {
    const graded = gradeTrigger(
      expects({ required_skills: ["A"], forbidden_skills: ["X", "Y"] }),
      transcript(activations(["Y"])),
    );
    expect(graded.checks.map((check) => check.passed)).toEqual([false, true, false]);
    expect(graded.message).toBe("A did not fire (fired: Y); Y fired, but must not");
  });

  test("a trial that is an error is not graded", async () => {
    const broken: Transcript = {
      ...transcript([]),
      outcome: { status: "error", error: { reason: "auth", message: "not logged in", retryable: false } },
      how: "error",
    };
    expect(gradeTrigger(expects({ forbidden_skills: ["X"] }), broken)).toMatchObject({
      passed: null,
      score: null,
      message: "not logged in",
    });
    const spec = { type: "skill_invocation", config: { forbidden_skills: ["X"] } };
    expect(await gradeQuestion([spec], broken, { prompt: "" })).toMatchObject({ passed: null });
  });
});

describe("a configuration as written", () => {
  test.each<[string, unknown, RegExp]>([
    ["nothing to check", {}, /Nothing to check/],
    ["required without a mode", { required_skills: ["A"] }, /needs a mode/],
    [
      "a skill in both lists",
      { required_skills: ["A"], forbidden_skills: ["A"], mode: "any_order" },
      /both required and forbidden/,
    ],
    ["a skill forbidden and fine", { forbidden_skills: ["A"], also_fine: ["A"] }, /both forbidden and also_fine/],
    ["a blank name", { forbidden_skills: ["  "] }, /blank/],
    ["an unknown mode, even where it is ignored", { forbidden_skills: ["A"], mode: "sometimes" }, /exact_match/],
    ["a field nobody knows", { forbidden_skills: ["A"], forbidden_skill: ["B"] }, /forbidden_skill/],
    ["a list that is none", { forbidden_skills: "A" }, /a list is needed/],
    ["no object", "A", /a mapping is needed/],
  ])("%s is rejected", (_name, raw, message) => {
    const checked = checkSkillInvocation(raw);
    expect(checked.status).toBe("rejected");
    if (checked.status === "rejected") expect(checked.rejections.map((one) => one.message).join("\n")).toMatch(message);
  });

  test("a rejection says where", () => {
    const checked = checkSkillInvocation({ required_skills: ["A"], forbidden_skills: ["B", "A"], mode: "any_order" });
    expect(checked).toMatchObject({ status: "rejected", rejections: [{ path: ["forbidden_skills", 1] }] });
  });

  test.each<[string, unknown, string[]]>([
    ["forbidden only", { forbidden_skills: ["X"] }, []],
    ["forbidden only with a mode", { forbidden_skills: ["X"], mode: "in_order" }, ["mode"]],
    ["forbidden without extras", { forbidden_skills: ["X"], allow_extra: false }, ["allow_extra"]],
    ["no skill at all", { allow_extra: false }, []],
    ["required with a mode", { required_skills: ["A"], mode: "in_order" }, []],
  ])("%s is usable, with these notes", (_name, raw, notes) => {
    const checked = checkSkillInvocation(raw);
    expect(checked).toMatchObject({ status: "usable" });
    if (checked.status === "usable") expect(checked.notes.map((note) => note.path[0])).toEqual(notes);
  });
});

test.each([
  [true, true, true],
  [true, false, false],
  [false, true, false],
  [false, false, true],
])("for a question that is positive = %s and passed = %s, hit is %s", (positive, passed, expected) => {
  expect(hit(positive, passed)).toBe(expected);
  expect(hit(positive, null)).toBeNull();
});

test("a question that requires a skill is positive, any other negative", () => {
  expect(isPositive(expects({ required_skills: ["A"], forbidden_skills: ["B"] }))).toBe(true);
  expect(isPositive(expects({ forbidden_skills: ["B"] }))).toBe(false);
});

describe("laws", () => {
  const skill = fc.constantFrom("A", "B", "C", "D");
  const fired = fc.array(skill, { maxLength: 6 });
  const config = fc
    .record({
      required_skills: fc.array(skill, { maxLength: 3 }),
      forbidden_skills: fc.uniqueArray(skill, { maxLength: 2 }),
      also_fine: fc.uniqueArray(skill, { maxLength: 2 }),
      mode: fc.constantFrom("exact_match" as const, "in_order" as const, "any_order" as const),
      allow_extra: fc.boolean(),
    })
    .filter((one) => checkSkillInvocation(one).status === "usable");
  const outcome = (one: SkillInvocation, skills: string[]) => {
    const { passed, score } = gradeTrigger(one, transcript(activations(skills)));
    return { passed, score };
  };

  test("a trial passes exactly when its score is 1, and scores stay in 0…1", () => {
    fc.assert(
      fc.property(config, fired, (one, skills) => {
        const { passed, score } = outcome(one, skills);
        expect(passed).toBe(score === 1);
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(1);
      }),
      { numRuns: 3000 },
    );
  });

  test("forbidding one more skill never raises a score", () => {
    fc.assert(
      fc.property(config, fired, skill, (one, skills, more) => {
        const stricter = { ...one, forbidden_skills: [...one.forbidden_skills, more] };
        fc.pre(checkSkillInvocation(stricter).status === "usable");
        expect(outcome(stricter, skills).score).toBeLessThanOrEqual(outcome(one, skills).score!);
      }),
      { numRuns: 2000 },
    );
  });

  test("a forbidden skill that fires never raises a score", () => {
    fc.assert(
      fc.property(config, fired, fc.nat(6), (one, skills, at) => {
        fc.pre(one.forbidden_skills.length > 0);
        const more = [...skills.slice(0, at), one.forbidden_skills[0]!, ...skills.slice(at)];
        expect(outcome(one, more)).toEqual({ passed: false, score: 0 });
      }),
      { numRuns: 1000 },
    );
  });

  test("listing a required skill as fine too changes nothing", () => {
    fc.assert(
      fc.property(config, fired, (one, skills) => {
        fc.pre(one.required_skills.length > 0);
        const strict = { ...one, also_fine: one.also_fine.filter((name) => !one.required_skills.includes(name)) };
        expect(outcome({ ...one, also_fine: [...strict.also_fine, ...one.required_skills] }, skills)).toEqual(
          outcome(strict, skills),
        );
      }),
      { numRuns: 1000 },
    );
  });

  test("any_order does not mind the order", () => {
    fc.assert(
      fc.property(fc.uniqueArray(skill, { minLength: 1 }), (required) => {
        expect(outcome(expects({ required_skills: required }), [...required].reverse())).toEqual({
          passed: true,
          score: 1,
        });
      }),
    );
  });

  const every = (length: number): string[][] =>
    length === 0
      ? [[]]
      : [[], ...every(length - 1).flatMap((rest) => ["A", "B", "C", "D", "E"].map((one) => [one, ...rest]))];
  const endings = every(3);

  test("a trial is decided exactly when nothing that could follow changes it", () => {
    fc.assert(
      fc.property(config, fc.array(skill, { maxLength: 4 }), (one, skills) => {
        const now = outcome(one, skills);
        const settled = endings.every((ending) => {
          const later = outcome(one, [...skills, ...ending]);
          return later.passed === now.passed && later.score === now.score;
        });
        expect(decided(one, activations(skills))).toBe(settled);
      }),
      { numRuns: 400 },
    );
  });
});
