import {
  type Coverage,
  hasVerdict,
  type Interval,
  type NegativeHardness,
  type QuestionScore,
  type Rate,
  type Rates,
} from "../../../model/index.ts";
import {
  addTo,
  type Cluster,
  type Clusters,
  clusteredInterval,
  clustersOf,
  oppositionOf,
  sharedAsks,
  together,
} from "../statistics/clusters.ts";
import { type PointEstimate, precisionAndF1 } from "../statistics/precision.ts";

export interface RatedQuestion {
  score: QuestionScore;
  /** Shares over the uncut runs; null if too little was measured, and for cases. */
  hitShare: number | null;
  firstMoveShare: number | null;
  counts: boolean;
  expectsSibling: boolean;
  belongsToSibling: boolean;
}

/** The unit is the question: each has one vote, its share of hits. Questions on one ask are not independent. */
export function ratesOf(entries: RatedQuestion[]): Rates {
  const { decided, any, first, flaky } = clustered(entries);
  const [positives, negatives] = [any.positive, any.negative].map(sideOf) as [Side, Side];
  const { precision, f1 } = bothSides(positives, negatives);
  const recall = rateOf(positives);
  const fpr = rateOf(negatives);
  return {
    score: share(decided.all),
    triggers: share(decided.trigger),
    cases: share(decided.case),
    recall,
    fpr,
    precision,
    f1,
    firstMove: first === undefined ? { recall, fpr } : { recall: share(first.positive), fpr: share(first.negative) },
    flaky,
    coverage: coverageOf(entries),
  };
}

interface HitClusters {
  positive: Map<string, Cluster>;
  negative: Map<string, Cluster>;
}

/** One pass only: a large record has tens of thousands of questions, and this runs per skill and in total. */
function clustered(entries: readonly RatedQuestion[]): {
  decided: { all: Clusters; trigger: Clusters; case: Clusters };
  any: HitClusters;
  first?: HitClusters;
  flaky: number;
} {
  const decided = { trigger: new Map<string, Cluster>(), case: new Map<string, Cluster>() };
  const all = entries.some(({ score }) => score.kind === "case") ? new Map<string, Cluster>() : decided.trigger;
  const any: HitClusters = { positive: new Map(), negative: new Map() };
  let sameFirst = true;
  let flaky = 0;
  for (const { score, counts, hitShare, firstMoveShare } of entries) {
    const { ask, kind } = score;
    if (score.flaky) flaky++;
    if (hasVerdict(score)) {
      const passed = score.verdict === "pass" ? 1 : 0;
      addTo(decided[kind], ask, passed);
      if (all !== decided.trigger) addTo(all, ask, passed);
    }
    if (!counts || kind !== "trigger") continue;
    if (hitShare !== null) addTo(any[score.role], ask, hitShare);
    if (firstMoveShare !== hitShare) sameFirst = false;
  }
  return { decided: { ...decided, all }, any, first: sameFirst ? undefined : firstMoves(entries), flaky };
}

function firstMoves(entries: readonly RatedQuestion[]): HitClusters {
  const first: HitClusters = { positive: new Map(), negative: new Map() };
  for (const { score, counts, firstMoveShare } of entries)
    if (counts && score.kind === "trigger" && firstMoveShare !== null)
      addTo(first[score.role], score.ask, firstMoveShare);
  return first;
}

export function hardnessOf(
  entries: Iterable<Pick<RatedQuestion, "expectsSibling" | "belongsToSibling">>,
): NegativeHardness {
  const hardness = { negatives: 0, expectSibling: 0, belongToSibling: 0, hard: 0 };
  for (const { expectsSibling, belongsToSibling } of entries) {
    hardness.negatives++;
    if (expectsSibling) hardness.expectSibling++;
    if (belongsToSibling) hardness.belongToSibling++;
    if (expectsSibling || belongsToSibling) hardness.hard++;
  }
  return hardness;
}

interface Side extends Cluster {
  clusters: Clusters;
  interval: Interval | null;
}

function sideOf(clusters: Clusters): Side {
  return { ...together(clusters), clusters, interval: clusteredInterval(clusters) };
}

export function share(clusters: Clusters): Rate {
  return rateOf(sideOf(clusters));
}

export function shareOf(questions: Iterable<{ ask: string; hits: number }>): Rate {
  return share(clustersOf(questions));
}

function rateOf({ n, hits, clusters, interval }: Side): Rate {
  return {
    value: n === 0 ? null : hits / n,
    n,
    prompts: clusters.size,
    low: interval?.low ?? null,
    high: interval?.high ?? null,
  };
}

function bothSides(positives: Side, negatives: Side): { precision: Rate; f1: Rate } {
  const known = (side: Side) => ({ n: side.n, hits: side.hits, interval: side.interval ?? { low: 0, high: 1 } });
  const opposition = oppositionOf(positives.clusters, negatives.clusters);
  const estimates = precisionAndF1(known(positives), known(negatives), opposition);
  const n = positives.n + negatives.n;
  const prompts =
    positives.clusters.size + negatives.clusters.size - sharedAsks(positives.clusters, negatives.clusters);
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
