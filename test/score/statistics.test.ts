import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { coverageCells } from "../../bench/numbers-coverage.ts";
import { cohenKappa } from "../../src/exam/score/agreement.ts";
import { canVerdictChange, cleared, confidenceSequence, earliestClear } from "../../src/exam/score/index.ts";
import {
  type Cluster,
  clusteredInterval,
  effectiveN,
  midP,
  oppositionOf,
} from "../../src/exam/score/statistics/clusters.ts";
import { betaCdf, logGamma, seeded, studentT } from "../../src/exam/score/statistics/distributions.ts";
import { signFlip } from "../../src/exam/score/statistics/paired-tests.ts";
import { precisionAndF1 } from "../../src/exam/score/statistics/precision.ts";

describe("the mid-P interval", () => {
  // scipy 1.17: the roots in p of ½·I(p; k, n − k + 1) + ½·I(p; k + 1, n − k) = 0.025 and 0.975, by betainc and brentq.
  test.each([
    [81, 263, 0.25440210494552234, 0.3657734742577772],
    [15, 148, 0.06006360266553197, 0.15812173305061183],
    [0, 20, 0, 0.13910834066837538],
    [1, 29, 0.0017247701147051263, 0.15853738368146575],
  ])("%i of %i is [%f, %f], as scipy has it", (hits, n, low, high) => {
    expect(midP(hits, n)!.low).toBeCloseTo(low, 9);
    expect(midP(hits, n)!.high).toBeCloseTo(high, 9);
  });

  test("nothing measured has no interval", () => {
    expect(midP(0, 0)).toBeNull();
  });

  test("the estimate is inside, and the mirror image of a rate has the mirrored interval", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), fc.double({ min: 0, max: 1, noNaN: true }), (n, share) => {
        const { low, high } = midP(share * n, n)!;
        const mirror = midP(n - share * n, n)!;
        expect(low).toBeLessThanOrEqual(share + 1e-9);
        expect(high).toBeGreaterThanOrEqual(share - 1e-9);
        expect(mirror.low).toBeCloseTo(1 - high, 7);
      }),
    );
  });
});

describe("distributions", () => {
  // Abramowitz and Stegun, Handbook of Mathematical Functions (1964), table 6.1 and identities.
  test("ln Γ agrees with factorials and with Γ(½) = √π", () => {
    expect(logGamma(0.5)).toBeCloseTo(Math.log(Math.sqrt(Math.PI)), 12);
    expect(logGamma(11)).toBeCloseTo(Math.log(3_628_800), 10);
    expect(logGamma(1.25)).toBeCloseTo(Math.log(0.9064024771), 9);
  });

  // scipy.stats.beta.cdf, scipy 1.17.
  test.each([
    [0.3, 2, 5, 0.5798250000000003],
    [0.9, 0.5, 0.5, 0.7951672353008665],
    [0.02, 10.5, 300, 0.0692089931418444],
    [0.999, 40, 1, 0.9607702107358118],
  ])("P(X ≤ %f) for X ~ Beta(%f, %f)", (x, a, b, expected) => {
    expect(betaCdf(x, a, b)).toBeCloseTo(expected, 10);
  });

  // scipy.stats.t.ppf(0.975, df), scipy 1.17.
  test.each([
    [1, 12.706204736174694],
    [2, 4.302652729749462],
    [5, 2.5705818356363146],
    [9, 2.262157162798205],
    [30, 2.0422724563012378],
    [200, 1.9718962236339088],
  ])("the 97.5 %% point of Student's t with %i degrees of freedom", (freedom, expected) => {
    expect(studentT(freedom)).toBeCloseTo(expected, 8);
  });

  test("a seed gives the same numbers again, and another seed others", () => {
    const draw = (seed: string) => Array.from({ length: 5 }, seeded(seed));
    expect(draw("a")).toEqual(draw("a"));
    expect(draw("a")).not.toEqual(draw("b"));
  });
});

describe("agreement beyond chance", () => {
  // Cohen's kappa in Wikipedia's worked examples: 20/5/10/15 gives 0.4, 45/15/25/15 gives 0.1304, 25/35/5/35 gives 0.2593.
  test.each([
    [20, 5, 10, 15, 0.4],
    [45, 15, 25, 15, 0.1304],
    [25, 35, 5, 35, 0.2593],
  ])("kappa of %i/%i/%i/%i", (bothYes, onlyFirst, onlySecond, bothNo, kappa) => {
    expect(cohenKappa({ bothYes, onlyFirst, onlySecond, bothNo })).toBeCloseTo(kappa, 4);
  });

  test("two raters who always say the same thing have no kappa", () => {
    expect(cohenKappa({ bothYes: 10, onlyFirst: 0, onlySecond: 0, bothNo: 0 })).toBeNull();
  });
});

describe("questions that share an ask", () => {
  const clusters = (...asks: [hits: number, n: number][]): Map<string, Cluster> =>
    new Map(asks.map(([hits, n], index) => [`${index}`, { hits, n }]));
  const repeat = (times: number, ...asks: [number, number][]) =>
    clusters(...Array.from({ length: times }, () => asks).flat());

  test("count in full where no ask has two", () => {
    expect(effectiveN(repeat(5, [1, 1], [0, 1]))).toBe(10);
    expect(clusteredInterval(repeat(5, [1, 1], [0, 1]))).toEqual(midP(5, 10));
  });

  test("that always come out alike count as one, for any number of them on an ask", () => {
    for (const n of [2, 6]) {
      const alike = clusteredInterval(repeat(5, [n, n], [0, n]))!;
      expect(alike.low).toBeCloseTo(midP(5, 10)!.low, 9);
      expect(alike.high).toBeCloseTo(midP(5, 10)!.high, 9);
    }
  });

  test("where all hit, nothing shows that they are independent, and they count as alike", () => {
    expect(clusteredInterval(repeat(10, [2, 2]))).toEqual(midP(10, 10));
  });

  // Of 40 asks with 2 questions, 20 hit one, 10 none and 10 both: Σ(hits − 1)² = 20. t(79) and t(39) from scipy 1.17.
  test("that are independent count nearly in full", () => {
    const between = (20 * (40 / 39)) / (0.25 * 80 ** 2);
    const expected = ((40 + 1) / (40 * between + 1 / 40)) * (1.99045021 / 2.02269092) ** 2;
    expect(effectiveN(repeat(10, [1, 2], [1, 2], [0, 2], [2, 2]))).toBeCloseTo(expected, 4);
    expect(expected).toBeGreaterThan(70);
  });

  test("the effective number lies between asks that come out alike and questions that are independent", () => {
    const asks = fc.array(
      fc.integer({ min: 1, max: 8 }).chain((n) => fc.tuple(fc.integer({ min: 0, max: n }), fc.constant(n))),
      { minLength: 1, maxLength: 30 },
    );
    fc.assert(
      fc.property(asks, (drawn) => {
        const n = drawn.reduce((sum, [, size]) => sum + size, 0);
        const alike = n ** 2 / drawn.reduce((sum, [, size]) => sum + size ** 2, 0);
        const effective = effectiveN(clusters(...drawn));
        expect(effective).toBeGreaterThanOrEqual(alike - 1e-9);
        expect(effective).toBeLessThanOrEqual(n + 1e-9);
      }),
    );
  });

  test("a miss that is a sibling's misfire sets recall and false positives against each other", () => {
    const hits = clusters([1, 1], [1, 1], [0, 1], [1, 1]);
    const misfires = clusters([0, 1], [0, 1], [1, 1], [0, 1]);
    expect(oppositionOf(hits, misfires)).toBeCloseTo(-1, 9);
    expect(oppositionOf(hits, new Map([["elsewhere", { n: 4, hits: 1 }]]))).toBe(0);
    expect(oppositionOf(hits, hits)).toBeLessThanOrEqual(0);
  });
});

describe("the interval of a precision", () => {
  const of = (hits: number, n: number) => ({ hits, n, interval: midP(hits, n)! });

  // Where one of the two rates is as good as known, the precision is a function of the other, and so are its bounds.
  test.each([
    [1, 10],
    [3, 10],
    [5, 10],
    [9, 10],
  ])("is that of the rate that is not known: %i of %i", (k, n) => {
    const many = 1_000_000;
    const { low, high } = midP(k, n)!;
    const misfires = precisionAndF1(of(many, many), of(k, n)).precision!;
    const rate = (precision: number) => (many * (1 / precision - 1)) / n;
    expect(rate(misfires.high)).toBeCloseTo(low, 3);
    expect(rate(misfires.low)).toBeCloseTo(high, 3);
    const hits = precisionAndF1(of(k, n), of(many, many)).precision!;
    const recall = (precision: number) => (many / n) * (precision / (1 - precision));
    expect(recall(hits.low)).toBeCloseTo(low, 3);
    expect(recall(hits.high)).toBeCloseTo(high, 3);
  });

  test("has its estimate inside, and is exactly 0 or 1 at the ends", () => {
    expect(precisionAndF1(of(0, 5), of(2, 5))).toMatchObject({
      precision: { value: 0, low: 0 },
      f1: { value: 0, low: 0 },
    });
    expect(precisionAndF1(of(5, 5), of(0, 5))).toMatchObject({
      precision: { value: 1, high: 1 },
      f1: { value: 1, high: 1 },
    });
    expect(precisionAndF1(of(0, 5), of(0, 5)).precision).toBeNull();
    const none = { hits: 0, n: 0, interval: { low: 0, high: 1 } };
    expect(precisionAndF1(none, of(0, 5))).toEqual({ precision: null, f1: null });
    expect(precisionAndF1(of(5, 5), none)).toEqual({ precision: null, f1: null });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 40 }),
        fc.nat(40),
        fc.nat(40),
        (n, m, a, b) => {
          const { precision, f1 } = precisionAndF1(of(a % (n + 1), n), of(b % (m + 1), m));
          for (const found of [precision, f1]) {
            if (found === null) continue;
            expect(found.low).toBeLessThanOrEqual(found.value);
            expect(found.high).toBeGreaterThanOrEqual(found.value);
          }
        },
      ),
    );
  });
});

describe("coverage of the intervals", () => {
  // n = 3, 5, 10, 30 × p = .05 … .97 × runs 1, 3, 5, questions alike and different: exact sums over all that can be measured.
  test("score, recall, precision and F1 hold the truth at least 92 times in 100 in every cell", () => {
    const cells = [...coverageCells()];
    expect(new Set(cells.map(({ rate }) => rate))).toEqual(new Set(["score", "recall", "precision", "f1"]));
    expect(cells).toHaveLength(2 * 4 * 3 * (10 + 10 + 2 * 100));
    expect(cells.filter(({ coverage }) => coverage < 0.92)).toEqual([]);
  });
});

describe("the paired test on changes", () => {
  const asks = (...changes: number[]) => changes.map((change) => ({ n: 1, change }));

  // scipy.stats.permutation_test(…, permutation_type="samples"), all permutations, scipy 1.17.
  test.each([
    [[0.5, 0.5, -0.5, 1, 0, 0.5, 0.5], 0.1875],
    [[1 / 3, 2 / 3, 1 / 3, -1 / 3, 1 / 3, 1 / 3, 2 / 3, 0, 1 / 3, 1 / 3], 0.03125],
    [[1, 1, 1, 1, 1, 1], 0.03125],
    [[-1, -1, -1, -1, -1, -1], 0.03125],
    [[0.5, -0.5, 0.5, -1, 1, 0.5, 0.5, 0.5, 1.5, -0.5, 1, 0.5], 0.1396484375],
  ])("of %j gives p = %f, as scipy does", (changes, p) => {
    expect(signFlip(asks(...changes))!.p).toBeCloseTo(p, 12);
  });

  // The exact p, by convolution of the twenty flips in Python.
  test("comes near the exact p where it draws, and draws the same for the same data", () => {
    const many = asks(1, 0, 0.5, -0.5, 0.5, 0, 1, 0.5, -0.5, 0, 0.5, 0.5, 0, 0, 1, -1, 0.5, 0.5, 0, 0.5);
    expect(signFlip(many)!.p).toBeGreaterThan(0.065);
    expect(signFlip(many)!.p).toBeLessThan(0.085);
    expect(signFlip(many)).toEqual(signFlip(structuredClone(many)));
  });

  test("takes an ask with many questions for one", () => {
    const six = Array.from({ length: 6 }, () => ({ n: 1, change: 1 }));
    expect(signFlip(six)!.p).toBeLessThan(0.05);
    expect(signFlip([{ n: 6, change: 6 }])).toMatchObject({ value: 1, p: 1, low: -1, high: 1 });
  });

  test("nothing changed: no difference, p = 1, and still an interval; nothing asked: nothing", () => {
    const { value, p, low, high } = signFlip(asks(0, 0, 0, 0, 0, 0, 0, 0))!;
    expect({ value, p }).toEqual({ value: 0, p: 1 });
    expect(low).toBeLessThan(-0.1);
    expect(high).toBeGreaterThan(0.1);
    expect(signFlip([])).toBeNull();
  });

  test("its interval holds the estimate, and leaves out 0 exactly when p is below 0.05", () => {
    const change = fc.integer({ min: -6, max: 6 }).map((sixths) => sixths / 6);
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 18 }), (changes) => {
        const { value, p, low, high } = signFlip(asks(...changes))!;
        expect(low).toBeLessThanOrEqual(value + 1e-9);
        expect(high).toBeGreaterThanOrEqual(value - 1e-9);
        expect(low >= 1e-9 || high <= -1e-9).toBe(p < 0.05);
      }),
      { numRuns: 60 },
    );
  });
});

describe("the confidence sequence", () => {
  // With a uniform mixture the ratio after n hits in a row is 2^n / (n + 1) at ½: 128/8 = 16 is short of 20, 256/9 is beyond it.
  test("eight hits in a row clear one half at 95 %, seven do not", () => {
    expect(cleared(7, 7, { threshold: 0.5, alpha: 0.05 })).toBeNull();
    expect(cleared(8, 8, { threshold: 0.5, alpha: 0.05 })).toBe("above");
    expect(cleared(0, 8, { threshold: 0.5, alpha: 0.05 })).toBe("below");
    expect(earliestClear(0.5, 0.05)).toBe(8);
  });

  test("its ends are where the likelihood ratio is 1/alpha, in closed form for n misses: (n + 1)(1 − p)^n = alpha", () => {
    for (const n of [3, 10, 40]) {
      const { low, high } = confidenceSequence(0, n, 0.05);
      expect(low).toBe(0);
      expect((n + 1) * (1 - high) ** n).toBeCloseTo(0.05, 9);
    }
    expect(confidenceSequence(0, 0, 0.05)).toEqual({ low: 0, high: 1 });
  });

  test("it clears a threshold exactly when the threshold is outside it", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 60 }),
        fc.nat(60),
        fc.double({ min: 0.05, max: 0.95, noNaN: true }),
        (n, some, threshold) => {
          const hits = some % (n + 1);
          const { low, high } = confidenceSequence(hits, n, 0.05);
          const side = cleared(hits, n, { threshold, alpha: 0.05 });
          if (Math.min(Math.abs(threshold - low), Math.abs(threshold - high)) < 1e-9) return;
          expect(side).toBe(threshold < low ? "above" : threshold > high ? "below" : null);
        },
      ),
    );
  });

  test.each([0.3, 0.4, 0.5, 0.6, 0.7])(
    "looked at after every one of 200 trials, it loses a true rate of %f at most once in twenty",
    (truth) => {
      const random = seeded(`sequence ${truth}`);
      const rounds = 2000;
      let lost = 0;
      for (let round = 0; round < rounds; round++) {
        let hits = 0;
        for (let n = 1; n <= 200; n++) {
          hits += Number(random() < truth);
          if (cleared(hits, n, { threshold: truth, alpha: 0.05 }) !== null) {
            lost++;
            break;
          }
        }
      }
      expect(lost / rounds).toBeLessThanOrEqual(0.05);
    },
  );
});

describe("early stop", () => {
  test.each([
    { hits: 2, measured: 2, remaining: 1, planned: 3, threshold: 0.5, change: false },
    { hits: 0, measured: 2, remaining: 1, planned: 3, threshold: 0.5, change: false },
    { hits: 1, measured: 2, remaining: 1, planned: 3, threshold: 0.5, change: true },
    { hits: 1, measured: 1, remaining: 2, planned: 3, threshold: 0.5, change: true },
    { hits: 0, measured: 1, remaining: 2, planned: 3, threshold: 0.1, change: true },
    { hits: 3, measured: 3, remaining: 0, planned: 3, threshold: 0.5, change: false },
    { hits: 1, measured: 3, remaining: 2, planned: 5, threshold: 0.2, change: false },
  ])(
    "$hits hits in $measured of $planned at $threshold: the verdict can change: $change",
    ({ change, ...standing }) => {
      expect(canVerdictChange(standing)).toBe(change);
    },
  );

  test("stopping when the verdict cannot change gives the verdict of all runs, whatever the rest would have brought", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("hit", "miss", "error"), { minLength: 1, maxLength: 9 }),
        fc.constantFrom(0.2, 0.5, 2 / 3, 0.8, 1),
        (runs, threshold) => {
          const planned = runs.length;
          let hits = 0;
          let measured = 0;
          let stopped: string | undefined;
          for (const [index, run] of runs.entries()) {
            if (run !== "error") measured++;
            if (run === "hit") hits++;
            const standing = { hits, measured, remaining: planned - index - 1, planned, threshold };
            if (stopped === undefined && !canVerdictChange(standing))
              stopped = verdict(hits, measured, planned, threshold);
          }
          expect(stopped).toBe(verdict(hits, measured, planned, threshold));
        },
      ),
    );
  });

  function verdict(hits: number, measured: number, planned: number, threshold: number): string {
    if (measured * 2 < planned || measured === 0) return "inconclusive";
    return hits >= threshold * measured - 1e-9 ? "pass" : "fail";
  }
});
