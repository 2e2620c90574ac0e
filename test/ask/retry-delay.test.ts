import { expect, test } from "vitest";
import { retryDelay } from "../../src/exam/ask/schedule/retry-delay.ts";
import type { TrialError } from "../../src/model/index.ts";

const LEAST = () => 0;
const MOST = () => 1;
const error = (more: Partial<TrialError> = {}): TrialError => ({
  reason: "rate_limit",
  message: "",
  retryable: true,
  ...more,
});
const HOUR = 3_600_000;
const range = (retriesSoFar: number, more: Partial<TrialError> = {}, timeoutMs = HOUR) =>
  [LEAST, MOST].map((random) => retryDelay(error(more), { retriesSoFar, mostRetries: 99, timeoutMs, random }));

test.each([
  ["first", 0, [250, 500]],
  ["second", 1, [500, 1_000]],
  ["third", 2, [1_000, 2_000]],
  ["seventh", 6, [16_000, 32_000]],
  ["eighth", 7, [30_000, 60_000]],
  ["twentieth", 19, [30_000, 60_000]],
])("without a word from the server the %s retry waits within its bounds", (_which, retriesSoFar, bounds) => {
  expect(range(retriesSoFar)).toEqual(bounds);
});

test.each([
  ["a moment", 0, 0, [0, 125]],
  ["45 s", 45_000, 0, [45_000, 45_125]],
  ["45 s, the third time", 45_000, 2, [45_000, 45_500]],
  ["ten minutes", 600_000, 0, [600_000, 600_125]],
  ["more than ten minutes", 600_001, 0, [undefined, undefined]],
])(
  "a server that asks for %s gets at least that, or is not waited for",
  (_what, retryAfterMs, retriesSoFar, bounds) => {
    expect(range(retriesSoFar, { retryAfterMs })).toEqual(bounds);
  },
);

test("a server that asks for more than a trial may take is not waited for", () => {
  expect(range(0, { retryAfterMs: 5_000 }, 5_000)).toEqual([5_000, 5_125]);
  expect(range(0, { retryAfterMs: 5_001 }, 5_000)).toEqual([undefined, undefined]);
});

test("what cannot pass is not waited for, and neither is one retry too many", () => {
  const patience = { mostRetries: 2, timeoutMs: HOUR, random: LEAST };
  expect(retryDelay(error({ retryable: false }), { ...patience, retriesSoFar: 0 })).toBeUndefined();
  expect([0, 1, 2].map((retriesSoFar) => retryDelay(error(), { ...patience, retriesSoFar }))).toEqual([
    250,
    500,
    undefined,
  ]);
});
