/**
 * What it means: verdicts, rates with intervals, the confusion matrix, causes and gates, all of them projections of a record.
 * It asks nobody anything, and takes a record line by line, so that a run can be scored while it runs.
 */

export { openToAsk, sureText } from "./accuracy-note.ts";
export { agreement, agreements, type FailsGiven, failsGiven } from "./agreement.ts";
export { asksBack } from "./asks-back.ts";
export {
  type ChangeGate,
  type ChangeGateResult,
  evaluateChangeGates,
  parseChangeGate,
} from "./compare/change-gates.ts";
export { compareRuns, compareTargets, winnerOf } from "./compare/compare.ts";
export type { Comparison, LeftOut, PairedRate } from "./compare/comparison.ts";
export { designOf, type RightRuns, rightRuns } from "./compare/design.ts";
export { compareExitCode } from "./compare/exit-code.ts";
export { directionOf, pText, type Regression, regressions } from "./compare/regressions.ts";
export { type Visible, visibleWith } from "./compare/visible.ts";
export { exitCode } from "./exit-code.ts";
export { evaluateGates, parseGate } from "./gates.ts";
export { causeLabel, errorLabel } from "./labels.ts";
export { onlyDrafts } from "./only-drafts.ts";
export { scoreStored } from "./score-stored.ts";
export { createScorer, type Scorer, scoreRecord } from "./scorer.ts";
export type { Standing } from "./standing.ts";
export { cleared, confidenceSequence, earliestClear } from "./statistics/confidence-sequence.ts";
export { canVerdictChange } from "./statistics/early-stop.ts";
export { holm } from "./statistics/holm.ts";
export { mean } from "./statistics/mean.ts";
export { shareOf } from "./target/rates.ts";
