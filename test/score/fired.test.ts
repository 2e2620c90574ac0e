import { describe, expect, test } from "vitest";
import type { Activation } from "../../src/model/index.ts";
import { fired, header, positive, score, trial } from "./build.ts";

const question = positive("q", "wanted", { runs: 3 });
const on = (skill: string, turn: number): Activation => ({ skill, turn, evidence: "loaded" });
const firedOf = (...runs: Activation[][]) =>
  score([header(), question, ...runs.map((activations, index) => trial(question, index + 1, activations))]).targets[0]!
    .questions[0]!.fired;

test("what fired instead is told in the order of how often, how early and by name", () => {
  const seen = firedOf(
    [on("late", 3), on("b", 2), on("a", 2), on("early", 1), on("often", 6)],
    fired({ skill: "often", turn: 5, evidence: "read" }),
    [on("often", 7)],
  );
  expect(seen.map(({ skill, trials }) => [skill, trials])).toEqual([
    ["often", 3],
    ["early", 1],
    ["a", 1],
    ["b", 1],
    ["late", 1],
  ]);
});

test("at most ten of them are told", () => {
  const names = Array.from({ length: 12 }, (_, index) => `skill-${String.fromCharCode(97 + index)}`);
  expect(firedOf(names.map((name) => on(name, 1))).map(({ skill }) => skill)).toEqual(names.slice(0, 10));
});

test("a skill that fires twice in one trial counts once", () => {
  expect(firedOf([on("s", 1), on("s", 4)])).toMatchObject([{ skill: "s", trials: 1, turn: 1 }]);
});

describe("a skill that fires beside the right one", () => {
  const beside = (others: number, parts: Parameters<typeof positive>[2] = {}) => {
    const asked = positive("q", "wanted", { runs: 4, ...parts });
    const trials = [1, 2, 3, 4].map((run) => trial(asked, run, fired("wanted", ...(run <= others ? ["other"] : []))));
    return score([header(), asked, ...trials]).targets[0]!.questions[0]!.beside;
  };

  test.each([
    [1, undefined],
    [2, ["other"]],
    [3, ["other"]],
    [4, ["other"]],
  ])("in %i of 4 runs is told as %j", (others, told) => {
    expect(beside(others)).toEqual(told);
  });

  test("is not told where the suite calls it fine", () => {
    expect(beside(4, { alsoFine: ["other"] })).toBeUndefined();
  });
});

test("of a question that passes it is told as well", () => {
  expect(firedOf([on("wanted", 1)], [on("wanted", 2)], [on("wanted", 1)])).toMatchObject([
    { skill: "wanted", trials: 3, turn: 1 },
  ]);
});
