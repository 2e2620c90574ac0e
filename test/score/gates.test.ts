import { expect, test } from "vitest";
import { evaluateGates, parseGate } from "../../src/exam/score/index.ts";
import { fired, header, negative, positive, score, trial } from "./build.ts";

const positives = ["a", "b", "c", "d", "e"].map((id) => positive(id, "s"));
const negatives = ["f", "g"].map((id) => negative(id, "s"));

/** Recall 4/5 (interval 0.333 to 0.983), false-positive rate 1/2, 7 of 7 with a verdict. */
const scores = score([
  header(),
  ...positives,
  ...negatives,
  ...positives.map((question, index) => trial(question, 1, index < 4 ? fired("s") : [])),
  ...negatives.map((question, index) => trial(question, 1, index < 1 ? fired("s") : [])),
]);

test.each([
  ["recall>=0.8", "met"],
  ["recall>=0.81", "breached"],
  ["recall>0.79", "met"],
  ["recall>0.8", "breached"],
  ["recall<=0.8", "met"],
  ["recall<=0.79", "breached"],
  ["recall<0.81", "met"],
  ["recall<0.8", "breached"],
  ["lower(recall)>=0.33", "met"],
  ["lower(recall)>=0.34", "breached"],
  ["upper(recall)<=0.99", "met"],
  ["upper(recall)<=0.98", "breached"],
  ["fpr<=50%", "met"],
  ["fpr<50%", "breached"],
  ["precision>=80%", "met"],
  ["coverage>=1", "met"],
  ["coverage<1", "breached"],
  ["score>=0.71", "met"],
  ["skill:s recall>=0.8", "met"],
  ["cases>=0", "unmeasured"],
  ["skill:other recall>=0", "unmeasured"],
  ["target:codex recall>=0", "unmeasured"],
])("%s is %s", (text, status) => {
  expect(evaluateGates(scores, [parseGate(text)])).toMatchObject([{ status }]);
});

test.each([
  ["recall>=0.9", { value: 0.8, n: 5, message: "recall is 0.80 over 5 questions, the gate is >= 0.9" }],
  ["lower(recall) > 40%", { n: 5, message: "lower(recall) is 0.33 over 5 questions, the gate is > 0.4" }],
  ["coverage>=1", { value: 1, n: 7 }],
  ["cases>=0.5", { value: null, n: 0, message: "cases was not measured" }],
  ["skill:other recall>=0", { value: null, n: 0, message: "no question of skill other in this run" }],
  [
    "target:codex recall>=0",
    { target: "codex", predicted: false, value: null, n: 0, message: "no target codex in this run" },
  ],
])("the result of %s says what was held against it", (text, expected) => {
  expect(evaluateGates(scores, [parseGate(text)])).toMatchObject([expected]);
});

test.each([
  ["recal>=0.8", /names "recal", which is not a rate/, "Did you mean recall?"],
  ["weather>=0.8", /names "weather", which is not a rate/, expect.stringMatching(/^Rates: score, triggers, /)],
  ["recall>=80", /has the limit 80; rates lie between 0 and 1/, "80 % is written 80%."],
  ["recall=0.8", /is not understood/, expect.stringMatching(/'recall>=0\.8'/)],
  ["lower(coverage)>=1", /coverage is counted and has none/, undefined],
])("%s is refused, with a hint", (text, message, hint) => {
  let refused: unknown;
  try {
    parseGate(text);
  } catch (error) {
    refused = error;
  }
  expect(refused).toMatchObject({ name: "UsageError", message: expect.stringMatching(message) });
  expect((refused as { hint?: string }).hint).toEqual(hint);
});

test("a limit of 1 and spaces around are fine", () => {
  expect(parseGate("  RECALL >= 1 ")).toEqual({
    text: "RECALL >= 1",
    metric: "recall",
    bound: "estimate",
    operator: ">=",
    limit: 1,
  });
});

test.each([
  // 0.7999999999999999
  [0.1 + 0.7, ">=0.8", "met"],
  [0.1 + 0.7, "<0.8", "breached"],
  // 0.30000000000000004
  [0.1 + 0.2, "<=0.3", "met"],
  [0.1 + 0.2, ">0.3", "breached"],
])("a rate of %f against %s is %s: only rounding sets them apart", (value, limit, status) => {
  expect(evaluateGates(withRecall(value), [parseGate(`recall${limit}`)])).toMatchObject([{ status }]);
});

test.each([
  [0.796, ">=0.8", "0.796 over"],
  [0.7996, ">=0.8", "0.7996 over"],
  [0.79999, ">=0.8", "0.79999 over"],
  [0.8, ">0.8", "0.80 over"],
  [0.8004, "<=80%", "0.8004 over"],
  [0.75, ">=0.8", "0.75 over"],
  [0.8, ">=0.8", "0.80 over"],
])("a rate of %f against %s is printed with the digits that differ", (value, limit, expected) => {
  const [result] = evaluateGates(withRecall(value), [parseGate(`recall${limit}`)]);
  expect(result!.message).toContain(`recall is ${expected}`);
});

function withRecall(value: number): Parameters<typeof evaluateGates>[0] {
  const [target] = scores.targets;
  const recall = { ...target!.total.recall, value };
  return { targets: [{ ...target!, total: { ...target!.total, recall } }] };
}
