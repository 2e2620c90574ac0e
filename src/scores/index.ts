/**
 * What it means: verdicts, rates with intervals, the confusion matrix, causes and gates, all of them projections of a record.
 * It asks nobody anything, and takes a record line by line, so that a run can be scored while it runs.
 */
export { type Agreement, agreement } from "./agreement.ts";
export { asksBack } from "./asks-back.ts";
export { createScorer, type Scorer, scoreRecord } from "./create-scorer.ts";
export { exitCode } from "./exit-code.ts";
export { evaluateGates, type Gate, type GateResult, parseGate } from "./gates.ts";
export { causeLabel, errorLabel } from "./labels.ts";
export type { ResolvedScoreOptions, ScoreOptions } from "./options.ts";
export {
  type Cause,
  type Causes,
  type Confusion,
  type Coverage,
  ERROR,
  type NegativeHardness,
  NONE,
  NOT_SAID,
  type Plan,
  type QuestionScore,
  type Rate,
  type Rates,
  type RunInfo,
  type Scores,
  type SkillScores,
  type Steal,
  type TargetScores,
  type TrialStats,
  type Verdict,
} from "./scores.ts";
export { cleared, confidenceSequence, earliestClear } from "./statistics/confidence-sequence.ts";
export { canVerdictChange, type Standing } from "./statistics/early-stop.ts";
