import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canVerdictChange, cleared, confidenceSequence, earliestClear } from "../../src/scores/index.ts";
import { betaQuantile, binomialLowerTail, binomialUpperTail } from "../../src/scores/statistics/binomial.ts";
import { cohenKappa } from "../../src/scores/statistics/kappa.ts";
import { precisionAndF1 } from "../../src/scores/statistics/precision.ts";
import { drawBeta, seeded } from "../../src/scores/statistics/random.ts";
import { betaCdf, logGamma } from "../../src/scores/statistics/special.ts";
import { wilson } from "../../src/scores/statistics/wilson.ts";

describe("Wilson's interval", () => {
  // Newcombe, "Two-sided confidence intervals for the single proportion", Statistics in Medicine 17 (1998), table I, method 3 (score, no correction).
  test.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])("%i of %i is [%f, %f], as published", (hits, n, low, high) => {
    expect(wilson(hits, n)!.low).toBeCloseTo(low, 4);
    expect(wilson(hits, n)!.high).toBeCloseTo(high, 4);
  });

  test("nothing measured has no interval", () => {
    expect(wilson(0, 0)).toBeNull();
  });

  test("the estimate is inside, and the mirror image of a rate has the mirrored interval", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), fc.double({ min: 0, max: 1, noNaN: true }), (n, share) => {
        const { low, high } = wilson(share * n, n)!;
        const mirror = wilson(n - share * n, n)!;
        expect(low).toBeLessThanOrEqual(share + 1e-12);
        expect(high).toBeGreaterThanOrEqual(share - 1e-12);
        expect(mirror.low).toBeCloseTo(1 - high, 9);
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

  // Exact sums of binomial coefficients: 56/1024, 1 − 0.9^10, (1/6)^3 …
  test.each([
    [8, 10, 0.5, 56 / 1024],
    [1, 10, 0.1, 1 - 0.9 ** 10],
    [3, 3, 1 / 6, 1 / 216],
    [0, 5, 0.3, 1],
    [6, 5, 0.3, 0],
  ])("at least %i of %i at %f has probability %f", (k, n, p, expected) => {
    expect(binomialUpperTail(k, n, p)).toBeCloseTo(expected, 12);
  });

  test("both tails of a binomial add up to one and the middle", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), fc.double({ min: 0.01, max: 0.99, noNaN: true }), fc.nat(200), (n, p, some) => {
        const k = some % (n + 1);
        expect(binomialLowerTail(k - 1, n, p) + binomialUpperTail(k, n, p)).toBeCloseTo(1, 9);
      }),
    );
  });

  // Clopper and Pearson's 95 % limits as beta quantiles; Newcombe 1998, table I, method 5 ("exact").
  test.each([
    [81, 263, 0.2527, 0.3676],
    [15, 148, 0.0578, 0.1617],
    [1, 29, 0.0009, 0.1776],
  ])("beta quantiles give the exact limits for %i of %i, as published", (k, n, low, high) => {
    expect(betaQuantile(0.025, k, n - k + 1)).toBeCloseTo(low, 4);
    expect(betaQuantile(0.975, k + 1, n - k)).toBeCloseTo(high, 4);
  });

  test("seeded draws follow the beta distribution they are drawn from, and repeat", () => {
    for (const [a, b] of [
      [0.5, 5.5],
      [3.5, 2.5],
      [30.5, 0.5],
    ] as const) {
      const random = seeded("draws");
      const draws = Array.from({ length: 20_000 }, () => drawBeta(a, b, random)).sort((x, y) => x - y);
      const distance = Math.max(...draws.map((x, index) => Math.abs(betaCdf(x, a, b) - (index + 0.5) / draws.length)));
      // Kolmogorov and Smirnov: 1.63 / √n is exceeded once in a hundred; the seed is fixed.
      expect(distance).toBeLessThan(1.63 / Math.sqrt(draws.length));
      const again = seeded("draws");
      expect(drawBeta(a, b, again)).toBe(drawBeta(a, b, seeded("draws")));
    }
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

describe("the interval of a precision", () => {
  // Where one of the two rates is as good as known, the precision is a function of the other, whose interval is Jeffreys': the 2.5 % and
  // 97.5 % points of Beta(k + ½, n − k + ½) (Brown, Cai and DasGupta 2001, §4.1), here by numerical integration of the density.
  test.each([
    [1, 10, 0.011, 0.3813],
    [3, 10, 0.0927, 0.6058],
    [5, 10, 0.2235, 0.7765],
    [9, 10, 0.6187, 0.989],
  ])("comes from Jeffreys' prior on either side: %i of %i", (k, n, low, high) => {
    const many = 100_000;
    const misfires = precisionAndF1({ positiveHits: many, positives: many, negativeHits: k, negatives: n }, "seed").precision!;
    const rate = (precision: number) => (many * (1 / precision - 1)) / n;
    expect(Math.abs(rate(misfires.high) - low)).toBeLessThan(0.015);
    expect(Math.abs(rate(misfires.low) - high)).toBeLessThan(0.015);
    const hits = precisionAndF1({ positiveHits: k, positives: n, negativeHits: many, negatives: many }, "seed").precision!;
    const recall = (precision: number) => (many / n) * (precision / (1 - precision));
    expect(Math.abs(recall(hits.low) - low)).toBeLessThan(0.015);
    expect(Math.abs(recall(hits.high) - high)).toBeLessThan(0.015);
  });

  test("has its estimate inside, and is exactly 0 or 1 at the ends", () => {
    const none = precisionAndF1({ positiveHits: 0, positives: 5, negativeHits: 2, negatives: 5 }, "seed");
    expect(none).toMatchObject({ precision: { value: 0, low: 0 }, f1: { value: 0, low: 0 } });
    const all = precisionAndF1({ positiveHits: 5, positives: 5, negativeHits: 0, negatives: 5 }, "seed");
    expect(all).toMatchObject({ precision: { value: 1, high: 1 }, f1: { value: 1, high: 1 } });
    expect(precisionAndF1({ positiveHits: 0, positives: 5, negativeHits: 0, negatives: 5 }, "seed").precision).toBeNull();
    expect(precisionAndF1({ positiveHits: 0, positives: 0, negativeHits: 0, negatives: 5 }, "seed")).toEqual({ precision: null, f1: null });
    expect(precisionAndF1({ positiveHits: 5, positives: 5, negativeHits: 0, negatives: 0 }, "seed")).toEqual({ precision: null, f1: null });
  });
});

describe("coverage of the intervals, by simulation", () => {
  type Draw = (random: () => number) => number;
  // A question either always or never hits (a deterministic target), or has a hit rate of its own and two uncut runs of three.
  const always =
    (rate: number): Draw =>
    (random) =>
      Number(random() < rate);
  const twice =
    (a: number, b: number): Draw =>
    (random) => {
      const rate = drawBeta(a, b, random);
      return (Number(random() < rate) + Number(random() < rate)) / 2;
    };
  const worlds: { recall: number; fpr: number; positive: Draw; negative: Draw }[] = [
    { recall: 0.75, fpr: 0.2, positive: twice(3, 1), negative: twice(1, 4) },
    { recall: 2 / 3, fpr: 0.25, positive: twice(0.4, 0.2), negative: twice(0.2, 0.6) },
    { recall: 0.6, fpr: 0.4, positive: twice(6, 4), negative: twice(4, 6) },
    { recall: 0.5, fpr: 0.3, positive: always(0.5), negative: always(0.3) },
    { recall: 0.7, fpr: 0.15, positive: always(0.7), negative: always(0.15) },
    { recall: 0.85, fpr: 0.1, positive: always(0.85), negative: always(0.1) },
    { recall: 0.95, fpr: 0.05, positive: always(0.95), negative: always(0.05) },
  ];

  test.each([{ questions: 5 }, { questions: 10 }, { questions: 30 }])(
    "intervals hold the truth at least 93 times in 100 with $questions questions",
    ({ questions }) => {
      const random = seeded(`coverage ${questions}`);
      const held = { recall: [0, 0], fpr: [0, 0], precision: [0, 0], f1: [0, 0] };
      const count = (rate: keyof typeof held, truth: number, interval: { low: number; high: number }) => {
        held[rate][0]! += Number(interval.low <= truth && truth <= interval.high);
        held[rate][1]! += 1;
      };
      for (const { recall, fpr, positive, negative } of worlds) {
        for (let round = 0; round < 100; round++) {
          const positiveHits = sumOf(questions, () => positive(random));
          const negativeHits = sumOf(questions, () => negative(random));
          const { precision, f1 } = precisionAndF1({ positiveHits, positives: questions, negativeHits, negatives: questions }, `${round}`);
          count("recall", recall, wilson(positiveHits, questions)!);
          count("fpr", fpr, wilson(negativeHits, questions)!);
          if (precision !== null) count("precision", recall / (recall + fpr), precision);
          if (f1 !== null) count("f1", (2 * recall) / (recall + fpr + 1), f1);
        }
      }
      for (const [inside, of] of Object.values(held)) expect(inside! / of!).toBeGreaterThanOrEqual(0.93);
    },
  );
});

describe("the confidence sequence", () => {
  // With a uniform mixture the ratio after n hits in a row is 2^n / (n + 1) at ½: 128/8 = 16 is short of 20, 256/9 is beyond it.
  test("eight hits in a row clear one half at 95 %, seven do not", () => {
    expect(cleared(7, 7, 0.5, 0.05)).toBeNull();
    expect(cleared(8, 8, 0.5, 0.05)).toBe("above");
    expect(cleared(0, 8, 0.5, 0.05)).toBe("below");
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
      fc.property(fc.integer({ min: 1, max: 60 }), fc.nat(60), fc.double({ min: 0.05, max: 0.95, noNaN: true }), (n, some, threshold) => {
        const hits = some % (n + 1);
        const { low, high } = confidenceSequence(hits, n, 0.05);
        const side = cleared(hits, n, threshold, 0.05);
        if (Math.min(Math.abs(threshold - low), Math.abs(threshold - high)) < 1e-9) return;
        expect(side).toBe(threshold < low ? "above" : threshold > high ? "below" : null);
      }),
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
          if (cleared(hits, n, truth, 0.05) !== null) {
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
  ])("$hits hits in $measured of $planned at $threshold: the verdict can change: $change", ({ change, ...standing }) => {
    expect(canVerdictChange(standing)).toBe(change);
  });

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
            if (stopped === undefined && !canVerdictChange(standing)) stopped = verdict(hits, measured, planned, threshold);
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

function sumOf(n: number, draw: () => number): number {
  let total = 0;
  for (let i = 0; i < n; i++) total += draw();
  return total;
}
