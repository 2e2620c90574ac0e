import { expect, test } from "vitest";
import { causeLabel, errorLabel } from "../../src/exam/score/index.ts";
import { ERROR_REASONS } from "../../src/model/index.ts";
import { header, positive, score } from "./build.ts";

test("the limits of a run are read from its record, and nothing else that stands there", () => {
  const limits = { usd: 5, tokens: 1_000, trials: 20, seconds: 3, none: null };
  const { run } = score([header({ options: { limits } }), positive("q", "a")]);
  expect(run.limits).toEqual({ usd: 5, tokens: 1_000, trials: 20 });
  expect(score([header(), positive("q", "a")]).run.limits).toEqual({});
});

test("every reason and every cause has words of its own", () => {
  const causes = [
    "not_shown",
    "sibling",
    "unused",
    "refused",
    "asked_back",
    "not_as_expected",
    "error",
    "misfire",
    "check",
  ] as const;
  const words = [...ERROR_REASONS.map(errorLabel), ...causes.map(causeLabel)];
  expect(words.filter((label) => !/^[a-zA-Z]/.test(label))).toEqual([]);
  expect(new Set(words).size).toBe(words.length);
});
