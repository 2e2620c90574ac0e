import { expect, test } from "vitest";
import { shares } from "../../bench/compare-simulate.ts";
import { power } from "../../src/exam/score/statistics/power.ts";

const ROUNDS = 500;

test("two runs of equal skill: a regression is called in at most 5 of 100, overall and in a library of 20 skills", () => {
  expect(shares({ skills: 1, questions: 40, runs: 5, rate: 0.85, spread: 0, drop: 0 }, ROUNDS).any).toBeLessThanOrEqual(
    0.05,
  );
  expect(
    shares({ skills: 20, questions: 8, runs: 3, rate: 0.9, spread: 0.2, drop: 0 }, ROUNDS).any,
  ).toBeLessThanOrEqual(0.05);
});

test("a true drop of 30 points over 40 questions and 5 runs is found in at least 90 of 100", () => {
  expect(
    shares({ skills: 1, questions: 40, runs: 5, rate: 0.85, spread: 0.2, drop: 0.3 }, 200).any,
  ).toBeGreaterThanOrEqual(0.9);
});

test("the power that is printed is what comparing shows", () => {
  const scene = { skills: 1, questions: 40, runs: 5, rate: 0.9, spread: 0.3, drop: 0.1 };
  const design = { asks: Array.from({ length: 40 }, () => 1), runs: { before: 5, now: 5 }, rate: 0.9, spread: 0.3 };
  expect(Math.abs(power(design, scene.drop) - shares(scene, 2_000).whole)).toBeLessThan(0.03);
});
