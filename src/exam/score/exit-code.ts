import { type Coverage, onlyDrafts, type Scores } from "../../model/index.ts";
import type { ChangeGateResult } from "./compare/change-gates.ts";
import type { Comparison } from "./compare/comparison.ts";
import { regressions } from "./compare/regressions.ts";

/**
 * The first that applies: 130 interrupted · 3 the record is incomplete · 1 a gate was breached or, without gates, a
 * question failed · 3 something has no verdict · 0.
 */
export function exitCode(scores: Scores): 0 | 1 | 3 | 130 {
  if (scores.run.how === "interrupted") return 130;
  // The missing part could change every number, so gates are not evaluated.
  if (scores.run.how === "unfinished" || scores.run.damage !== undefined) return 3;
  const { gates, allowPredicted, minCoverage } = scores.options;
  const deciding = scores.targets.filter((target) => allowPredicted || !target.predicted);
  const breached = scores.gates.some((result) => result.status === "breached" && (allowPredicted || !result.predicted));
  const failed = deciding.some((target) => target.questions.some((question) => question.verdict === "fail"));
  if (gates.length > 0 ? breached : failed) return 1;
  // A shard without questions is done.
  if (scores.run.shard !== undefined && scores.plan.questions === 0) return 0;
  if (scores.targets.length === 0 || scores.targets.every((target) => target.trials.total === 0)) return 3;
  if (scores.run.missingShards !== undefined) return 3;
  if (onlyDrafts(scores)) return 3;
  if (scores.gates.some((result) => result.status === "unmeasured")) return 3;
  return scores.targets.every((target) => covered(target.total.coverage, minCoverage)) ? 0 : 3;
}

export type ExitCode = 0 | 1 | 2 | 3 | 130;

/** `broken`: files of the exam could not be read. A different lock fails only a run that would otherwise pass. */
export function runExitCode(scores: Scores, { broken = false, lockDiffers = false }): ExitCode {
  const code = exitCode(scores);
  if (broken && code !== 130) return 2;
  return code === 0 && lockDiffers ? 1 : code;
}

export function firstExitCode(codes: readonly ExitCode[], none: ExitCode): ExitCode {
  return ([130, 2, 1, 3] as const).find((code) => codes.includes(code)) ?? (codes.length === 0 ? none : 0);
}

/** "Cannot tell" is an answer though not a verdict. A target that can tell nothing at all covers nothing. */
function covered({ verdicts, planned, missing: { unsure } }: Coverage, minCoverage: number): boolean {
  return verdicts >= minCoverage * (planned - unsure) - 1e-9 && (verdicts > 0 || unsure === 0);
}

interface ComparisonOutcome {
  whole: boolean;
  comparisons: readonly Comparison[];
  gates: readonly Pick<ChangeGateResult, "status" | "predicted">[];
  allowPredicted: boolean;
  minCoverage: number;
}

/**
 * The first that applies: 3 a record is incomplete · 1 a gate was breached or, without gates, something got worse
 * beyond noise · 3 something was not compared · 0.
 */
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
  return comparisons.every((comparison) => compared(comparison, minCoverage)) ? 0 : 3;
}

/**
 * `minCoverage` of the questions in both runs must have a verdict in both. Questions that only the later run cannot ask
 * count as missing.
 */
function compared({ n, unaskable, leftOut: { sameAnswers, noVerdict } }: Comparison, minCoverage: number): boolean {
  const known = n + sameAnswers;
  return known >= minCoverage * (known + noVerdict + unaskable.length) - 1e-9;
}
