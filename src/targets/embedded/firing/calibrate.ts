import { remember, sha256 } from "../../../base/index.ts";
import type { RouterCard } from "../cards/router-card.ts";
import { createRouter, type RouterOptions } from "../router.ts";
import { PARAMETERS } from "./parameters.ts";

/** A query, and whether this skill should fire on it. */
export interface LabelledQuery {
  query: string;
  skill: string;
  positive: boolean;
}

/** Which threshold decides a library's questions, and why. */
export interface Calibration {
  /** `too_few`: not enough labels to tell; `shipped`: another threshold does not measurably help; `refitted`: it does. */
  status: "too_few" | "shipped" | "refitted";
  /** For queries that are not among the labels. */
  needs: number;
  /** For a query among the labels: a threshold that its own labels had no part in. */
  needsFor(query: string): number;
  labels: { positive: number; negative: number };
  /** Every threshold in use, for the record. */
  thresholds: number[];
  /** One sentence for a report. */
  summary: string;
}

const FEWEST_LABELS = 50;
const FOLDS = 5;

/**
 * Refits the threshold to a library's own labels by nested cross-validation. The threshold that decides a question was fitted without it,
 * and so was the decision to refit at all, so its verdict stays fair.
 */
export function calibrate(cards: readonly RouterCard[], labels: readonly LabelledQuery[], options: RouterOptions = {}): Calibration {
  const shipped = (options.parameters ?? PARAMETERS).needs;
  const rows = scoreLabels(cards, labels, options);
  const counts = { positive: rows.filter(({ positive }) => positive).length, negative: rows.filter(({ positive }) => !positive).length };
  if (Math.min(counts.positive, counts.negative) < FEWEST_LABELS) {
    const summary = `threshold ${shipped} as shipped: calibration needs ${FEWEST_LABELS} labels of each class, and there are ${counts.positive} positive and ${counts.negative} negative`;
    return { status: "too_few", needs: shipped, needsFor: () => shipped, labels: counts, thresholds: [shipped], summary };
  }

  const folds = Array.from({ length: FOLDS }, (_, fold) =>
    chooseThreshold(
      rows.filter((row) => foldOf(row.query, OUTER) !== fold),
      shipped,
    ),
  );
  const known = new Set(rows.map(({ query }) => query));
  const needs = chooseThreshold(rows, shipped);
  const thresholds = [...new Set([...folds, needs])].sort((a, b) => a - b);
  const refitted = thresholds.some((threshold) => threshold !== shipped);
  return {
    status: refitted ? "refitted" : "shipped",
    needs,
    needsFor: (query) => (known.has(query) ? folds[foldOf(query, OUTER)] : undefined) ?? needs,
    labels: counts,
    thresholds,
    summary: refitted
      ? `thresholds refitted on ${rows.length} labels, each question decided by one that was fitted without it: ${thresholds.join(", ")} (shipped: ${shipped})`
      : `threshold ${shipped} as shipped: refitting on ${rows.length} labels does not measurably help`,
  };
}

interface ScoredLabel extends LabelledQuery {
  score: number;
}

function scoreLabels(cards: readonly RouterCard[], labels: readonly LabelledQuery[], options: RouterOptions): ScoredLabel[] {
  const router = createRouter(cards, options);
  const known = new Set(cards.map(({ id }) => id));
  const rows = labels.filter(({ skill }) => known.has(skill));
  const skillsOf = new Map<string, string[]>();
  for (const { query, skill } of rows) {
    const before = skillsOf.get(query);
    if (before === undefined) skillsOf.set(query, [skill]);
    else before.push(skill);
  }
  const scores = new Map<string, Map<string, number>>();
  for (const [query, also] of skillsOf) {
    const found = router.scores(query, { least: Number.POSITIVE_INFINITY, also });
    scores.set(query, new Map(found.map(({ skill, score }) => [skill, score])));
  }
  return rows.map((label) => ({ ...label, score: scores.get(label.query)?.get(label.skill) ?? 0 }));
}

/** The refitted threshold where that measurably helps on rows it was not fitted on, else the shipped one. */
function chooseThreshold(rows: readonly ScoredLabel[], shipped: number): number {
  const weighted = withWeights(rows);
  const gains: number[] = [];
  for (let fold = 0; fold < FOLDS; fold++) {
    const needs = fitThreshold(rows.filter(({ query }) => foldOf(query, INNER) !== fold));
    for (const { row, weight } of weighted) {
      if (foldOf(row.query, INNER) === fold) gains.push(weight * (Number(isRight(row, needs)) - Number(isRight(row, shipped))));
    }
  }
  const mean = gains.reduce((sum, gain) => sum + gain, 0) / gains.length;
  const variance = gains.reduce((sum, gain) => sum + (gain - mean) ** 2, 0) / (gains.length - 1);
  return mean > MEASURABLE * Math.sqrt(variance / gains.length) && mean > 0 ? fitThreshold(rows) : shipped;
}

/** Standard errors for a one-sided 95 %. */
const MEASURABLE = 1.645;
const STEPS = Array.from({ length: 91 }, (_, i) => (i + 5) / 100);
const NEIGHBOURS = 3;

/** Where accuracy and balanced accuracy together are best, averaged over the neighbouring steps: a plateau holds up, a peak does not. */
function fitThreshold(rows: readonly ScoredLabel[]): number {
  const weighted = withWeights(rows);
  const values = STEPS.map((needs) => weighted.reduce((sum, { row, weight }) => sum + (isRight(row, needs) ? weight : 0), 0));
  const smooth = values.map((_, at) => {
    const near = values.slice(Math.max(0, at - NEIGHBOURS), at + NEIGHBOURS + 1);
    return near.reduce((sum, value) => sum + value, 0) / near.length;
  });
  // `!`: the position of the largest of as many values as there are steps.
  return STEPS[smooth.indexOf(Math.max(...smooth))]!;
}

function isRight({ score, positive }: ScoredLabel, needs: number): boolean {
  return score >= needs === positive;
}

/** Weights that make the mean of right answers the average of accuracy and balanced accuracy. */
function withWeights(rows: readonly ScoredLabel[]): { row: ScoredLabel; weight: number }[] {
  const positives = rows.filter(({ positive }) => positive).length;
  const share = (count: number) => 0.5 + rows.length / (4 * Math.max(1, count));
  return rows.map((row) => ({ row, weight: share(row.positive ? positives : rows.length - positives) }));
}

const OUTER = "outer";
const INNER = "inner";

/** By the query's text, so that a question stays in its fold whatever else is added to the suite. */
function foldOf(query: string, level: string): number {
  return foldOfKey(`${level}\n${query}`);
}

const foldOfKey = remember((key) => Number.parseInt(sha256(key).slice(0, 8), 16) % FOLDS, 100_000);
