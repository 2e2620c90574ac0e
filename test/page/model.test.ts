import { describe, expect, test } from "vitest";
import type { ShownPage } from "../../src/reporters/html/wire.ts";
import { modelOf, type Row, worst, worstAnswer } from "../../viewer/src/data/model.ts";

/** `fail`, or `skipped inconclusive` where it was not asked. */
type Result = string | undefined;

/** One question, and how each target did on it; what a target's name begins with says whether it predicts. */
function rowOf(results: Record<string, Result>): Row {
  const targets = Object.entries(results).map(([id, result]) => {
    const [verdict, status = "asked"] = result?.split(" ").toReversed() ?? [];
    return {
      id,
      predicted: id.startsWith("predicts"),
      results: result === undefined ? [] : [{ question: 0, verdict, status }],
    };
  });
  const page = { exam: { targets, questions: [{ id: "q" }], notes: { all: [] } }, library: { skills: [] } };
  return modelOf(page as unknown as ShownPage).rows[0]!;
}

describe("the answer that a question is judged by at a glance", () => {
  test.each<[string, Record<string, Result>, string | undefined]>([
    ["is the worst", { a: "pass", b: "fail", c: "inconclusive" }, "b"],
    ["is the first of those that are alike", { a: "fail", b: "fail" }, "a"],
    ["is a measurement that passes before a prediction that fails", { predicts: "fail", a: "pass" }, "a"],
    [
      "is the worst prediction where nothing was measured",
      { predicts: "pass", "predicts too": "unsure" },
      "predicts too",
    ],
    ["is a prediction before a target that skipped it", { a: "skipped inconclusive", predicts: "pass" }, "predicts"],
    ["is an answer before none", { a: "skipped inconclusive", b: "pass" }, "b"],
    ["is one that skipped it where no other is there", { a: "skipped inconclusive", b: undefined }, "a"],
    ["is missing where no target has one", { a: undefined }, undefined],
  ])("%s", (_what, results, chosen) => {
    const row = rowOf(results);
    const all = Object.keys(results).map((_, at) => at);
    expect(worstAnswer(row, all)?.target.id).toBe(chosen);
  });

  test("is one of the targets that are shown", () => {
    expect(worstAnswer(rowOf({ a: "fail", b: "pass" }), [1])?.target.id).toBe("b");
  });
});

describe("a list that begins with the worst verdict", () => {
  const order = (rows: Record<string, Result>[], target?: number) =>
    rows
      .map((results) => ({ results, rank: worst(rowOf(results), target) }))
      .sort((one, other) => one.rank - other.rank)
      .map(({ results }) => Object.values(results).join(", "));

  test("goes from fail over no verdict and not to be told to pass, and ends with what has none", () => {
    const rows = ["pass", "unsure", "fail", undefined, "inconclusive"].map((a) => ({ a }));
    expect(order(rows)).toEqual(["fail", "inconclusive", "unsure", "pass", ""]);
  });

  test("has what every target skipped at its end", () => {
    const rows = [{ a: "skipped inconclusive" }, { a: "pass" }, { a: "inconclusive" }];
    expect(order(rows)).toEqual(["inconclusive", "pass", "skipped inconclusive"]);
  });

  test("counts a question that one target skipped by the others", () => {
    const rows = [
      { a: "skipped inconclusive", b: "pass" },
      { a: "unsure", b: "pass" },
    ];
    expect(order(rows)).toEqual(["unsure, pass", "skipped inconclusive, pass"]);
  });

  test("can be that of one target", () => {
    expect(
      order(
        [
          { a: "fail", b: "pass" },
          { a: "pass", b: "fail" },
        ],
        1,
      ),
    ).toEqual(["pass, fail", "fail, pass"]);
  });
});
