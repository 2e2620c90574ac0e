import type { QuestionScore } from "../../../model/index.ts";
import { clustersOf } from "../statistics/clusters.ts";
import { type Design, power, runsToSee, smallestDrop } from "../statistics/power.ts";

/** A question's runs that came out right, of those that early stopping never cuts. */
export interface RightRuns {
  ask: string;
  right: number;
  n: number;
}

export function rightRuns({ ask, positive, unbiased: { hits, n } }: QuestionScore): RightRuns {
  return { ask, right: positive ? hits : n - hits, n };
}

/** Of the same questions before and now: how many, how often they were asked, how often they come out right, and how far they differ in that. */
export function designOf(before: readonly RightRuns[], now: readonly RightRuns[]): Design | null {
  if (now.length === 0) return null;
  const together = now.map(({ right, n }, index) => ({
    right: right + (before[index]?.right ?? 0),
    n: n + (before[index]?.n ?? 0),
  }));
  const asks = [...clustersOf(now.map(({ ask }) => ({ ask, hits: 0 }))).values()].map(({ n }) => n);
  return {
    asks,
    runs: { before: meanRuns(before), now: meanRuns(now) },
    rate: rateOf(together),
    spread: spreadOf(together),
  };
}

function meanRuns(questions: readonly RightRuns[]): number {
  const runs = questions.reduce((sum, { n }) => sum + n, 0);
  return Math.max(1, Math.round(runs / Math.max(1, questions.length)));
}

/** With half a run right and half a run wrong added: what was never seen to fail may fail. */
function rateOf(questions: readonly { right: number; n: number }[]): number {
  const right = questions.reduce((sum, one) => sum + one.right, 0);
  const n = questions.reduce((sum, one) => sum + one.n, 0);
  return (right + 0.5) / (n + 1);
}

/** The correlation of two runs of one question, by the analysis of variance (Fleiss 1981, for yes-or-no runs). */
function spreadOf(questions: readonly { right: number; n: number }[]): number {
  const asked = questions.filter(({ n }) => n > 0);
  const runs = asked.reduce((sum, { n }) => sum + n, 0);
  const free = runs - asked.length;
  if (asked.length < 2 || free < 1) return 0;
  const rate = asked.reduce((sum, { right }) => sum + right, 0) / runs;
  const between = asked.reduce((sum, { right, n }) => sum + n * (right / n - rate) ** 2, 0) / (asked.length - 1);
  const within = asked.reduce((sum, { right, n }) => sum + (right * (n - right)) / n, 0) / free;
  const size = (runs - asked.reduce((sum, { n }) => sum + n * n, 0) / runs) / (asked.length - 1);
  const total = between + (size - 1) * within;
  return total <= 0 ? 0 : Math.min(0.9, Math.max(0, (between - within) / total));
}

/** What a comparison could have seen: the smallest drop, four times in five, and the runs it takes to see one of a given size. */
export interface Visible {
  /** In shares; null when not even a drop to nothing is seen this often. */
  smallest: number | null;
  /** The drop that is asked about, how often it is seen with these runs, and the runs, before and now, that see it four times in five. */
  drop: number;
  power: number;
  /** null: not even a hundred do. */
  runs: number | null;
}

const DROP = 0.1;

export function visibleWith(design: Design, drop = DROP): Visible {
  const smallest = smallestDrop(design);
  return {
    smallest: smallest === null ? null : smallest / 100,
    drop,
    power: power(design, drop),
    runs: runsToSee(design, drop),
  };
}
