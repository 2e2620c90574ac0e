import { expect, test } from "vitest";
import { compareTargets } from "../../src/scores/index.ts";
import { mcnemar } from "../../src/scores/statistics/mcnemar.ts";
import { embedded, fired, header, positive, score, trial } from "./build.ts";

// By hand from the binomial distribution with p = 1/2, and as R's binom.test gives them.
test.each([
  [0, 0, 1],
  [1, 0, 1],
  [5, 0, 0.0625],
  [6, 0, 0.03125],
  [8, 1, 0.0390625],
  [1, 8, 0.0390625],
  [4, 4, 1],
])("%i changes one way and %i the other: p = %f", (one, other, p) => {
  expect(mcnemar(one, other)).toBeCloseTo(p, 9);
});

const run = (passing: string[], more: { asked?: string[]; prompts?: Record<string, string>; target?: typeof embedded } = {}) => {
  const { asked = ["a", "b", "c"], prompts = {}, target } = more;
  const questions = asked.map((id) =>
    positive(id, id === "c" ? "faq" : "refund", prompts[id] === undefined ? {} : { prompt: prompts[id] }),
  );
  const trials = questions.map((question, at) =>
    trial(question, 1, passing.includes(asked[at]!) ? fired(question.skill!) : [], target && { target: target.id }),
  );
  return score([header(target && { targets: [target] }), ...questions, ...trials]).targets[0]!;
};

test("says which questions pass that failed, and of which skills", () => {
  expect(compareTargets(run(["a"]), run(["a", "b", "c"]))).toMatchObject({
    target: "claude:haiku",
    n: 3,
    passed: { before: 1, now: 3 },
    improved: [{ id: "triggers.yaml#b" }, { id: "triggers.yaml#c" }],
    worsened: [],
    skills: [
      { skill: "refund", n: 2, before: 1, now: 2 },
      { skill: "faq", n: 1, before: 0, now: 1 },
    ],
    p: expect.closeTo(0.5),
  });
});

test("leaves out what only one run asked, and questions whose prompt was edited", () => {
  expect(compareTargets(run(["a"], { asked: ["a", "b"] }), run(["b", "c"], { prompts: { a: "another" } }))).toMatchObject({
    n: 1,
    improved: [{}],
  });
  expect(compareTargets(run([], { asked: ["a"] }), run([], { asked: ["b"] }))).toBeNull();
});

test("claims no noise on a target that answers the same each time", () => {
  expect(compareTargets(run([], { target: embedded }), run(["a"], { target: embedded }))).toMatchObject({ improved: [{}], p: null });
});
