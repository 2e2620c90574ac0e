import type { Coverage, NegativeHardness, QuestionScore, Rate, Rates } from "../scores.ts";
import { type Clusters, clusteredInterval, clustersOf, oppositionOf, together } from "../statistics/clusters.ts";
import { type PointEstimate, precisionAndF1 } from "../statistics/precision.ts";
import { hasVerdict } from "../verdict.ts";

/** A question's score with what the rates of a skill need of it. */
export interface RatedQuestion {
  score: QuestionScore;
  /** Shares of the uncut runs; null when too little was measured, or for cases. */
  hitShare: number | null;
  firstMoveShare: number | null;
  counts: boolean;
  expectsSibling: boolean;
  belongsToSibling: boolean;
}

/** The rates of a set of questions. The unit is the question: each has one vote, its share of hits. Those on one ask are not independent. */
export function ratesOf(entries: RatedQuestion[]): Rates {
  const decided = entries.filter(({ score }) => hasVerdict(score));
  const passed = (kind?: "trigger" | "case") => {
    const of = decided.filter(({ score }) => kind === undefined || score.kind === kind);
    return share(clustersOf(of.map(({ score }) => ({ ask: score.ask, hits: score.verdict === "pass" ? 1 : 0 }))));
  };
  const positives = shares(entries, "positive", "hitShare");
  const negatives = shares(entries, "negative", "hitShare");
  const { precision, f1 } = bothSides(positives, negatives);
  return {
    score: passed(),
    triggers: passed("trigger"),
    cases: passed("case"),
    recall: share(positives),
    fpr: share(negatives),
    precision,
    f1,
    firstMove: { recall: share(shares(entries, "positive", "firstMoveShare")), fpr: share(shares(entries, "negative", "firstMoveShare")) },
    flaky: entries.filter(({ score }) => score.flaky).length,
    coverage: coverageOf(entries),
  };
}

export function hardnessOf(entries: Pick<RatedQuestion, "expectsSibling" | "belongsToSibling">[]): NegativeHardness {
  return {
    negatives: entries.length,
    expectSibling: entries.filter((entry) => entry.expectsSibling).length,
    belongToSibling: entries.filter((entry) => entry.belongsToSibling).length,
    hard: entries.filter((entry) => entry.expectsSibling || entry.belongsToSibling).length,
  };
}

function shares(entries: RatedQuestion[], role: "positive" | "negative", which: "hitShare" | "firstMoveShare"): Clusters {
  return clustersOf(
    entries.flatMap((entry) => {
      const hits = entry[which];
      const { ask, kind, role: own } = entry.score;
      return entry.counts && kind === "trigger" && own === role && hits !== null ? [{ ask, hits }] : [];
    }),
  );
}

export function share(clusters: Clusters): Rate {
  const { n, hits } = together(clusters);
  const { low, high } = clusteredInterval(clusters) ?? { low: null, high: null };
  return { value: n === 0 ? null : hits / n, n, prompts: clusters.size, low, high };
}

function bothSides(positives: Clusters, negatives: Clusters): { precision: Rate; f1: Rate } {
  const side = (clusters: Clusters) => ({ ...together(clusters), interval: clusteredInterval(clusters) ?? { low: 0, high: 1 } });
  const estimates = precisionAndF1(side(positives), side(negatives), oppositionOf(positives, negatives));
  const n = together(positives).n + together(negatives).n;
  const prompts = new Set([...positives.keys(), ...negatives.keys()]).size;
  const rate = (estimate: PointEstimate | null): Rate => ({
    value: estimate?.value ?? null,
    n,
    prompts,
    low: estimate?.low ?? null,
    high: estimate?.high ?? null,
  });
  return { precision: rate(estimates.precision), f1: rate(estimates.f1) };
}

function coverageOf(entries: RatedQuestion[]): Coverage {
  const missing = { invalid: 0, notAsked: 0, errors: 0, undecided: 0, unsure: 0 };
  let skipped = 0;
  let verdicts = 0;
  for (const { score } of entries) {
    if (score.status === "skipped") skipped++;
    else if (score.status === "invalid") missing.invalid++;
    else if (hasVerdict(score)) verdicts++;
    else if (score.verdict === "unsure") missing.unsure++;
    else missing[whyNoVerdict(score)]++;
  }
  return { planned: entries.length - skipped, verdicts, skipped, missing };
}

function whyNoVerdict({ measured, errors, trials, planned }: QuestionScore): "notAsked" | "errors" | "undecided" {
  if (trials * 2 < planned || trials === 0) return "notAsked";
  return errors > 0 && measured * 2 < planned ? "errors" : "undecided";
}
