import type { ResolvedScoreOptions } from "../../model/index.ts";
import { passed } from "./tallies/kept-runs.ts";
import { measuredRuns, type QuestionTally } from "./tallies/question-tally.ts";

/** A question on a target, as it stands: what decides whether it must be asked again. */
export interface Standing {
  hits: number;
  measured: number;
  planned: number;
  /** The hit rate it is held against. */
  threshold: number;
}

export function standingOf(
  question: QuestionTally,
  target: string,
  options: Pick<ResolvedScoreOptions, "threshold" | "negativeThreshold">,
): Standing {
  const runs = measuredRuns(question, target);
  const { positive, runs: planned } = question.line;
  return {
    hits: runs.filter((run) => passed(run) === positive).length,
    measured: runs.length,
    planned: planned[target] ?? 0,
    threshold: positive ? options.threshold : options.negativeThreshold,
  };
}
