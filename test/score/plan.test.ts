import { describe, expect, test } from "vitest";
import { createScorer } from "../../src/exam/score/index.ts";
import { claude, failedTrial, fired, header, negative, positive, score, target, trial, trigger } from "./build.ts";

const judge = target("judge:haiku", { kind: "judge", predicted: true });

describe("the plan", () => {
  test.each([
    ["a judge alone", [judge]],
    ["a judge before an agent", [judge, claude]],
    ["an agent before a judge", [claude, judge]],
  ])("counts prompts as the suite has them, also with %s, who is asked about one skill at a time", (_what, targets) => {
    const [yes, no] = ["a", "b"].map((skill) => ({ ask: "both", asks: { [judge.id]: `about ${skill}` } }));
    const { plan } = score([header({ targets }), positive("yes", "a", yes), negative("no", "b", no)]);
    expect(plan).toMatchObject({ questions: 2, prompts: 1, negatives: { negatives: 1, belongToSibling: 1 } });
  });

  test("counts drafts, but not those that only come along from another skill", () => {
    const questions = [
      positive("1", "a", { draft: true }),
      positive("2", "a", { draft: true, cross: true }),
      positive("3", "a", { cross: true }),
    ];
    expect(score([header(), ...questions]).plan.drafts).toBe(1);
  });

  test("counts as skipped what every target skips, and leaves it out of the negatives", () => {
    const why = "it has no body";
    const everywhere = negative("everywhere", "a", { skipped: { [claude.id]: why, [judge.id]: why } });
    const lines = [
      header({ targets: [claude, judge] }),
      everywhere,
      negative("there", "a", { skipped: { [judge.id]: why } }),
    ];
    expect(score(lines).plan).toMatchObject({ skipped: 1, negatives: { negatives: 1 } });
  });
});

test.each([
  [["b", "c", "c"], "c"],
  [["c", "b"], "b"],
  [[], undefined],
])("the nearest sibling of a skill whose negatives belong to %j is %s", (siblings, nearest) => {
  const questions = siblings.map((sibling, at) =>
    trigger(`${at}`, { skill: "a", required: [sibling], forbidden: ["a"] }),
  );
  const [first] = score([header(), ...questions, negative("nobody's", "a")]).targets[0]!.skills;
  expect(first).toMatchObject({ skill: "a", negatives: { negatives: siblings.length + 1, nearestSibling: nearest } });
});

describe("while a run goes on", () => {
  const question = positive("q", "a", { runs: 5 });
  const open = trial(question, 3, [], { checks: [{ question: question.id, passed: null, score: null, message: "" }] });
  const trials = [trial(question, 1, fired("a")), trial(question, 2, fired("b", "a")), open, failedTrial(question, 4)];
  const scorer = createScorer();
  for (const line of [header(), question, positive("skipped", "a", { skipped: { [claude.id]: "no body" } }), ...trials])
    scorer.add(line);

  test("each run of a question is told: right, right, not to be told, an error, not asked", () => {
    expect([...scorer.outcomes(claude.id)]).toEqual([[question.id, "++?!."]]);
    expect([...scorer.outcomes("nobody")]).toEqual([]);
  });

  test("each trial has its place in the matrix", () => {
    expect(trials.map((line) => scorer.cellOf(line))).toEqual([
      { expected: "a", fired: "a" },
      { expected: "a", fired: "b" },
      { expected: "a", fired: "(none)" },
      { expected: "a", fired: "(error)" },
    ]);
    expect(scorer.cellOf({ ...trials[0]!, ask: "another" })).toBeNull();
    expect(scorer.cellOf({ ...trials[0]!, target: "nobody" })).toBeNull();
  });
});
