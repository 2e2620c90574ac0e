import { expect, test } from "vitest";
import type { TrialLine } from "../../src/model/index.ts";
import { failedTrial, fired, header, positive, score, trial } from "./build.ts";

const question = positive("q", "a", { runs: 9 });
const measured = (run: number, more: Partial<TrialLine> = {}) => trial(question, run, fired("a"), more);
const statsOf = (...trials: TrialLine[]) => score([header(), question, ...trials]).targets[0]!.trials;
const cached = (measuredAt: string, savedUsd?: number) => ({ cached: { measuredAt, savedMs: 900, savedUsd } });

test("a trial that says nothing of itself counts with its time, and everything else is unknown", () => {
  expect(statsOf(measured(1))).toEqual({
    total: 1,
    measured: 1,
    errors: {},
    retries: 0,
    cached: 0,
    oldestCached: undefined,
    savedMs: 0,
    savedUsd: 0,
    cost: { usd: 0, known: 0, unknown: 1, estimated: 0 },
    perTrial: { ms: 1000, usd: null, cpuMs: null },
    peakMemoryBytes: null,
    tokens: { input: 0, output: 0 },
    askedBecause: [],
  });
});

test("time is the mean of those that were measured now: neither errors nor the cache are in it", () => {
  const { perTrial } = statsOf(
    measured(1, { ms: 100 }),
    measured(2, { ms: 400 }),
    failedTrial(question, 3, "timeout", { ms: 60_000 }),
    measured(4, { ms: 1, ...cached("2026-11-01T00:00:00.000Z") }),
  );
  expect(perTrial.ms).toBe(250);
});

test("tokens are those of all attempts, or of the trial where its attempts say nothing", () => {
  const attempt = (inputTokens: number, outputTokens: number) => ({ ms: 1, usage: { inputTokens, outputTokens } });
  const { tokens, retries } = statsOf(
    measured(1, { attempts: [attempt(100, 10), attempt(200, 20)], usage: { inputTokens: 200, outputTokens: 20 } }),
    measured(2, { usage: { inputTokens: 1000, outputTokens: 1 } }),
    measured(3, { usage: { inputTokens: 7 } }),
  );
  expect(tokens).toEqual({ input: 1307, output: 31 });
  expect(retries).toBe(1);
});

test.each<[string, Partial<TrialLine>, object]>([
  ["of its own", { costUsd: 0.02 }, { usd: 0.02, known: 1, unknown: 0, estimated: 0 }],
  [
    "of its attempts",
    {
      attempts: [
        { ms: 1, costUsd: 0.01 },
        { ms: 1, costUsd: 0.02 },
      ],
    },
    { usd: 0.03, known: 1, unknown: 0, estimated: 0 },
  ],
  [
    "of both, where a judge is in its own",
    { costUsd: 0.05, attempts: [{ ms: 1, costUsd: 0.01 }] },
    { usd: 0.05, known: 1, unknown: 0 },
  ],
  ["that is estimated", { costUsd: 0.02, costEstimated: true }, { usd: 0.02, known: 1, unknown: 0, estimated: 1 }],
  ["that nobody knows", {}, { usd: 0, known: 0, unknown: 1, estimated: 0 }],
])("the cost of a trial, %s", (_what, more, cost) => {
  expect(statsOf(measured(1, more)).cost).toMatchObject(cost);
});

test("the mean cost is over the trials whose cost is known", () => {
  expect(statsOf(measured(1, { costUsd: 0.02 }), measured(2, { costUsd: 0.04 }), measured(3)).perTrial.usd).toBeCloseTo(
    0.03,
  );
});

test("processor time is a mean, and memory the most that one took", () => {
  const stats = statsOf(
    measured(1, { resources: { cpuMs: 100, peakMemoryBytes: 5_000 } }),
    measured(2, { resources: { cpuMs: 300, peakMemoryBytes: 3_000 } }),
    measured(3),
  );
  expect(stats.perTrial.cpuMs).toBe(200);
  expect(stats.peakMemoryBytes).toBe(5_000);
});

test("what the cache has answered is told with the oldest answer and what it saved, and costs nothing", () => {
  const stats = statsOf(
    measured(1, { costUsd: 9, ...cached("2026-11-03T00:00:00.000Z", 0.05) }),
    measured(2, cached("2026-11-01T00:00:00.000Z", 0.01)),
    measured(3, cached("2026-11-02T00:00:00.000Z")),
  );
  expect(stats).toMatchObject({
    total: 3,
    measured: 3,
    cached: 3,
    savedMs: 2700,
    oldestCached: "2026-11-01T00:00:00.000Z",
  });
  expect(stats.savedUsd).toBeCloseTo(0.06);
  expect(stats.cost).toEqual({ usd: 0, known: 0, unknown: 0, estimated: 0 });
});

test("errors are counted by reason, with the first message, and whether raw output is kept", () => {
  const raw = { segment: "raw-000.jsonl.gz", offset: 0, length: 1 };
  const stats = statsOf(
    measured(1),
    failedTrial(question, 2, "timeout"),
    failedTrial(question, 3, "api", { error: { reason: "api", message: "first", retryable: false } }),
    failedTrial(question, 4, "api", { error: { reason: "api", message: "second", retryable: false }, raw }),
  );
  expect(stats).toMatchObject({ total: 4, measured: 1 });
  expect(stats.errors).toEqual({
    timeout: { trials: 1, message: "the timeout message", raw: undefined },
    api: { trials: 2, message: "first", raw: true },
  });
});

test.each([[["alpha", "beta", "gamma", "gamma"]], [["gamma", "beta", "gamma", "alpha"]]])(
  "why trials were asked although the cache knows similar ones is told most first, then by name: %j",
  (edited) => {
    const asked = edited.map((skill, at) => measured(at + 1, { askedBecause: `${skill} was edited` }));
    const failed = failedTrial(question, 5, "timeout", { askedBecause: "alpha was edited" });
    expect(statsOf(...asked, failed).askedBecause).toEqual([
      { reason: "gamma was edited", trials: 2 },
      { reason: "alpha was edited", trials: 1 },
      { reason: "beta was edited", trials: 1 },
    ]);
  },
);
