import type { Coverage, Scores } from "../../model/index.ts";
import { onlyDrafts } from "./only-drafts.ts";

/** The first that applies: 130 interrupted · 3 the record is not whole · 1 a gate was breached or, without gates, a question failed · 3 something has no verdict · 0. */
export function exitCode(scores: Scores): 0 | 1 | 3 | 130 {
  if (scores.run.how === "interrupted") return 130;
  // What is missing could turn every number, so none of them is held against a gate.
  if (scores.run.how === "unfinished" || scores.run.damage !== undefined) return 3;
  const { gates, allowPredicted, minCoverage } = scores.options;
  const deciding = scores.targets.filter((target) => allowPredicted || !target.predicted);
  const breached = scores.gates.some((result) => result.status === "breached" && (allowPredicted || !result.predicted));
  const failed = deciding.some((target) => target.questions.some((question) => question.verdict === "fail"));
  if (gates.length > 0 ? breached : failed) return 1;
  // A shard that has got no question is done.
  if (scores.run.shard !== undefined && scores.plan.questions === 0) return 0;
  if (scores.targets.length === 0 || scores.targets.every((target) => target.trials.total === 0)) return 3;
  if (scores.run.missingShards !== undefined) return 3;
  if (onlyDrafts(scores)) return 3;
  if (scores.gates.some((result) => result.status === "unmeasured")) return 3;
  return scores.targets.every((target) => enough(target.total.coverage, minCoverage)) ? 0 : 3;
}

/** What a target says it cannot tell is an answer, though no verdict. Where it can tell nothing at all, nothing is known. */
function enough({ verdicts, planned, missing: { unsure } }: Coverage, minCoverage: number): boolean {
  return verdicts >= minCoverage * (planned - unsure) - 1e-9 && (verdicts > 0 || unsure === 0);
}
