import type { QuestionScore } from "../../../model/index.ts";
import { clustersOf } from "../statistics/clusters.ts";
import { type Design, power, runsToSee, smallestDrop } from "../statistics/power.ts";

export interface RightRuns {
  ask: string;
  right: number;
  n: number;
}

export function rightRuns({ ask, positive, unbiased: { hits, n } }: QuestionScore): RightRuns {
  return { ask, right: positive ? hits : n - hits, n };
}

/** Estimates the design of a comparison. Both lists have the same questions in the same order. */
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

/** Adds half a right and half a wrong run: a question that never failed may still fail. */
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

/** Which drops a comparison could have detected with 80 % power. */
export interface Visible {
  /** A share; null if not even a drop to 0 is detected. */
  smallest: number | null;
  /** The drop in question, its power with these runs, and the runs per side that reach 80 %. */
  drop: number;
  power: number;
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
