import type { Coverage, NegativeHardness, QuestionScore, Rate, Rates } from "../scores.ts";
import { type Estimate, precisionAndF1 } from "../statistics/precision.ts";
import { wilson } from "../statistics/wilson.ts";
import { rateOf } from "./verdict.ts";

/** A question's score with what the rates of a skill need of it. */
export interface Entry {
  score: QuestionScore;
  /** Shares of the uncut runs; null when too little was measured, or for cases. */
  hitShare: number | null;
  firstMoveShare: number | null;
  counts: boolean;
  expectsSibling: boolean;
  belongsToSibling: boolean;
}

/** The rates of a set of questions. The unit is the question: each has one vote, its share of hits. */
export function ratesOf(entries: Entry[], seed: string): Rates {
  const decided = entries.filter(({ score }) => score.verdict !== "inconclusive");
  const passed = (kind?: "trigger" | "case") => {
    const of = decided.filter(({ score }) => kind === undefined || score.kind === kind);
    return share(
      of.filter(({ score }) => score.verdict === "pass").map(() => 1),
      of.length,
    );
  };
  const positives = shares(entries, "positive", "hitShare");
  const negatives = shares(entries, "negative", "hitShare");
  const { precision, f1 } = precisionAndF1(
    { positiveHits: sum(positives), positives: positives.length, negativeHits: sum(negatives), negatives: negatives.length },
    seed,
  );
  const both = positives.length + negatives.length;
  return {
    score: passed(),
    triggers: passed("trigger"),
    cases: passed("case"),
    recall: share(positives),
    fpr: share(negatives),
    precision: estimated(precision, both),
    f1: estimated(f1, both),
    firstMove: { recall: share(shares(entries, "positive", "firstMoveShare")), fpr: share(shares(entries, "negative", "firstMoveShare")) },
    flaky: entries.filter(({ score }) => score.flaky).length,
    coverage: coverageOf(entries),
  };
}

export function hardnessOf(entries: Pick<Entry, "expectsSibling" | "belongsToSibling">[]): NegativeHardness {
  return {
    negatives: entries.length,
    expectSibling: entries.filter((entry) => entry.expectsSibling).length,
    belongToSibling: entries.filter((entry) => entry.belongsToSibling).length,
    hard: entries.filter((entry) => entry.expectsSibling || entry.belongsToSibling).length,
  };
}

function shares(entries: Entry[], role: "positive" | "negative", which: "hitShare" | "firstMoveShare"): number[] {
  return entries.flatMap((entry) => {
    const value = entry[which];
    return entry.counts && entry.score.kind === "trigger" && entry.score.role === role && value !== null ? [value] : [];
  });
}

function share(successes: number[], n = successes.length): Rate {
  const total = sum(successes);
  return rateOf(total, n, wilson(total, n));
}

function estimated(estimate: Estimate | null, n: number): Rate {
  return estimate === null
    ? { value: null, n, low: null, high: null }
    : { value: estimate.value, n, low: estimate.low, high: estimate.high };
}

function coverageOf(entries: Entry[]): Coverage {
  const missing = { invalid: 0, notAsked: 0, errors: 0, undecided: 0 };
  let skipped = 0;
  let verdicts = 0;
  for (const { score } of entries) {
    if (score.status === "skipped") skipped++;
    else if (score.status === "invalid") missing.invalid++;
    else if (score.verdict !== "inconclusive") verdicts++;
    else missing[whyNoVerdict(score)]++;
  }
  return { planned: entries.length - skipped, verdicts, skipped, missing };
}

function whyNoVerdict({ measured, errors, trials, planned }: QuestionScore): "notAsked" | "errors" | "undecided" {
  if (trials * 2 < planned || trials === 0) return "notAsked";
  return errors > 0 && measured * 2 < planned ? "errors" : "undecided";
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
