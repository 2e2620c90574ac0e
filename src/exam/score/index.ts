/**
 * What a record means: verdicts, rates with intervals, the confusion matrix, causes and gates. Everything is computed
 * from the record, line by line, so a run can be scored while it runs.
 */

export { onlyDrafts } from "../../model/index.ts";
export { openToAsk, sureText } from "./accuracy-note.ts";
export { agreement, agreements, type FailsGiven } from "./agreement.ts";
export {
  type ChangeGate,
  type ChangeGateResult,
  evaluateChangeGates,
  parseChangeGate,
} from "./compare/change-gates.ts";
export { compareRuns, compareTargets, winnerOf } from "./compare/compare.ts";
export type { Comparison, LeftOut, PairedRate } from "./compare/comparison.ts";
export { designOf, type RightRuns, rightRuns, type Visible, visibleWith } from "./compare/design.ts";
export { directionOf, pText, type Regression, regressions } from "./compare/regressions.ts";
export { compareExitCode, type ExitCode, exitCode, firstExitCode, runExitCode } from "./exit-code.ts";
export { evaluateGates, parseGate } from "./gates.ts";
export { causeLabel, errorLabel } from "./labels.ts";
export { scoreStored } from "./score-stored.ts";
export { createScorer, type Scorer, scoreRecord } from "./scorer.ts";
export { holm } from "./statistics/paired-tests.ts";
export {
  canVerdictChange,
  cleared,
  confidenceSequence,
  earliestClear,
  runsNeeded,
  type Standing,
  type StopRule,
} from "./statistics/stopping.ts";
export { shareOf } from "./target/rates.ts";
