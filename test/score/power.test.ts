import { describe, expect, test } from "vitest";
import { normalCdf, seeded } from "../../src/exam/score/statistics/distributions.ts";
import { holm, mcnemar, signFlip } from "../../src/exam/score/statistics/paired-tests.ts";
import { type Design, power, runsToSee, smallestDrop } from "../../src/exam/score/statistics/power.ts";

// 2 · Σ C(n, k) / 2ⁿ over k up to the smaller count, summed exactly.
test.each([
  [0, 0, 1],
  [1, 1, 1],
  [0, 5, 0.0625],
  [6, 1, 0.125],
  [2, 10, 0.03857422],
  [15, 40, 0.00101585],
])("McNemar's exact test: %i better and %i worse have p = %f", (better, worse, p) => {
  expect(mcnemar(better, worse)).toBeCloseTo(p, 5);
  expect(mcnemar(worse, better)).toBeCloseTo(p, 5);
});

// Holm 1979: the i-th smallest times (m − i + 1), never falling and at most 1.
test.each([
  [[], []],
  [[0.03], [0.03]],
  [
    [0.01, 0.02, 0.03, 0.04],
    [0.04, 0.06, 0.06, 0.06],
  ],
  [
    [0.5, 0.001, 0.2],
    [0.5, 0.003, 0.4],
  ],
  [
    [0.9, 0.8],
    [1, 1],
  ],
])("Holm's correction of %j is %j", (ps, adjusted) => {
  const found = holm(ps);
  expect(found).toHaveLength(adjusted.length);
  for (const [index, p] of adjusted.entries()) expect(found[index]).toBeCloseTo(p, 10);
});

test("the normal distribution", () => {
  for (const [z, p] of [
    [0, 0.5],
    [1.959964, 0.975],
    [-1.644854, 0.05],
    [3, 0.9986501],
  ] as const)
    expect(normalCdf(z)).toBeCloseTo(p, 6);
});

const design = (asks: number, runs: number, rate: number, more: Partial<Design> = {}): Design => ({
  asks: Array.from({ length: asks }, () => 1),
  runs: { before: runs, now: runs },
  rate,
  spread: 0,
  ...more,
});

describe("power", () => {
  /** The real test on drawn runs: 1,000 rounds are good to about a point and a half. */
  const simulated = ({ asks, runs, rate }: Design, drop: number) => {
    const random = seeded(`${asks.length} ${drop}`);
    const share = (n: number, p: number) => {
      let hits = 0;
      for (let run = 0; run < n; run++) hits += Number(random() < p);
      return hits / n;
    };
    let seen = 0;
    for (let round = 0; round < 1_000; round++) {
      const found = signFlip(
        asks.map((n) => ({ n, change: n * (share(runs.now, rate - drop) - share(runs.before, rate)) })),
      )!;
      if (found.p < 0.05 && found.value < 0) seen++;
    }
    return seen / 1_000;
  };

  test.each([
    [design(10, 3, 0.85), 0.3],
    [design(10, 1, 0.9), 0.6],
    [design(9, 5, 0.8, { runs: { before: 2, now: 5 } }), 0.35],
    [design(8, 4, 0.9, { asks: [1, 1, 2, 2, 3, 1, 1, 2] }), 0.35],
  ])("is what the test itself shows: %j, a drop of %f", (one, drop) => {
    expect(Math.abs(power(one, drop) - simulated(one, drop))).toBeLessThan(0.03);
  });

  test("grows with the drop, the questions and the runs", () => {
    expect(power(design(20, 3, 0.9), 0.3)).toBeGreaterThan(power(design(20, 3, 0.9), 0.2));
    expect(power(design(40, 3, 0.9), 0.2)).toBeGreaterThan(power(design(20, 3, 0.9), 0.2));
    expect(power(design(20, 6, 0.9), 0.2)).toBeGreaterThan(power(design(20, 3, 0.9), 0.2));
    expect(power(design(400, 3, 0.9), 0.05)).toBeGreaterThan(power(design(200, 3, 0.9), 0.05));
  });

  test("the smallest drop and the runs that see one are the first that do", () => {
    const one = design(20, 3, 0.9);
    const points = smallestDrop(one)!;
    expect(power(one, points / 100)).toBeGreaterThanOrEqual(0.8);
    expect(power(one, (points - 1) / 100)).toBeLessThan(0.8);
    const runs = runsToSee(one, 0.15)!;
    expect(power(design(20, runs, 0.9), 0.15)).toBeGreaterThanOrEqual(0.8);
    expect(power(design(20, runs - 1, 0.9), 0.15)).toBeLessThan(0.8);
  });

  test("five prompts show no drop, whatever it is", () => {
    expect(smallestDrop(design(5, 3, 0.95))).toBeNull();
    expect(runsToSee(design(5, 3, 0.95), 0.1)).toBeNull();
    expect(power(design(0, 3, 0.9), 0.1)).toBe(0);
  });
});
