/**
 * What it means: verdicts, rates with intervals, the confusion matrix, causes and gates, all of them projections of a record.
 * It asks nobody anything, and takes a record line by line, so that a run can be scored while it runs.
 */
export { agreement } from "./agreement.ts";
export { asksBack } from "./asks-back.ts";
export { type Comparison, compareRuns } from "./compare.ts";
export { exitCode } from "./exit-code.ts";
export { evaluateGates, parseGate } from "./gates.ts";
export { causeLabel, errorLabel } from "./labels.ts";
export type { ScoreOptions } from "./options.ts";
export { aboutOneSkill, roleOf } from "./question-role.ts";
export { createScorer, type Scorer, scoreRecord } from "./scorer.ts";
export {
  type CaseLift,
  type Cause,
  type Confusion,
  ERROR,
  type Lift,
  NONE,
  NOT_SAID,
  type QuestionScore,
  type Rate,
  type Rates,
  type Scores,
  type SkillScores,
  type TargetScores,
  type TrialStats,
  UNSURE,
  type Verdict,
} from "./scores.ts";
export type { Standing } from "./standing.ts";
export { cleared, confidenceSequence, earliestClear } from "./statistics/confidence-sequence.ts";
export { canVerdictChange } from "./statistics/early-stop.ts";
