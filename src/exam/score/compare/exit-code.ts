import type { ChangeGateResult } from "./change-gates.ts";
import type { Comparison } from "./comparison.ts";
import { regressions } from "./regressions.ts";

interface ComparisonOutcome {
  /** Both records are whole. */
  whole: boolean;
  comparisons: readonly Comparison[];
  gates: readonly Pick<ChangeGateResult, "status" | "predicted">[];
  allowPredicted: boolean;
  minCoverage: number;
}

/** As for a run, the first that applies: 3 a record is not whole · 1 a gate was breached or, without gates, something got worse beyond noise · 3 something was not compared · 0. */
export function compareExitCode({
  whole,
  comparisons,
  gates,
  allowPredicted,
  minCoverage,
}: ComparisonOutcome): 0 | 1 | 3 {
  if (!whole) return 3;
  const breached = gates.some(({ status, predicted }) => status === "breached" && (allowPredicted || !predicted));
  const worse = comparisons.some(
    (comparison) => (allowPredicted || !comparison.predicted) && regressions(comparison).length > 0,
  );
  if (gates.length > 0 ? breached : worse) return 1;
  if (gates.some(({ status }) => status === "unmeasured")) return 3;
  if (comparisons.every(({ n, leftOut }) => n + leftOut.sameAnswers === 0)) return 3;
  return comparisons.every((comparison) => enough(comparison, minCoverage)) ? 0 : 3;
}

/** Of the questions that both runs have, as many must have a verdict in both; of those that only the later one cannot ask, nothing is known any more. */
function enough({ n, unaskable, leftOut: { sameAnswers, noVerdict } }: Comparison, minCoverage: number): boolean {
  const known = n + sameAnswers;
  return known >= minCoverage * (known + noVerdict + unaskable.length) - 1e-9;
}
