/**
 * The words of an exam as types, one file each: skill, library, question, ask, transcript, check, record line, score.
 * The only functions here are those computed from these types alone.
 */

export type { Ask } from "./ask.ts";
export type { Check, GraderSpec, SkillInvocation } from "./check.ts";
export type { Library } from "./library.ts";
export {
  type Attempt,
  type CheckResult,
  type FooterLine,
  type HeaderLine,
  type HeaderSkill,
  type Identity,
  type QuestionLine,
  RECORD_VERSION,
  type RecordLine,
  type SegmentRef,
  type TrialLine,
} from "./line.ts";
export type {
  Case,
  Limits,
  Message,
  Question,
  QuestionBase,
  QuestionFile,
  Responder,
  Suite,
  Trigger,
} from "./question.ts";
export { aboutOneSkill, type QuestionRole, roleOf } from "./question-role.ts";
export {
  type Attempts,
  type CaseLift,
  type Cause,
  type Causes,
  type Confusion,
  type Coverage,
  ERROR,
  type Gate,
  type GateResult,
  hasVerdict,
  type Interval,
  type Lift,
  type LiftArm,
  type NegativeHardness,
  NONE,
  NOT_SAID,
  onlyDrafts,
  type PlanSummary,
  type QuestionScore,
  type Rate,
  type Rates,
  type ResolvedScoreOptions,
  type RunInfo,
  type ScoreOptions,
  type Scores,
  type SkillScores,
  type Steal,
  type TargetScores,
  type TrialStats,
  UNSURE,
  type UnsureReason,
  type Verdict,
} from "./score.ts";
export type { Card, Field, Place, Repair, Skill } from "./skill.ts";
export {
  type Activation,
  addUsage,
  countedActivations,
  type EndEvent,
  ERROR_REASONS,
  type ErrorReason,
  EVIDENCE,
  type Evidence,
  type EvidenceRule,
  firstMove,
  type ListingEntry,
  type Prediction,
  predictedVerdict,
  type Ranked,
  type Resources,
  type TrialError,
  type TrialEvent,
  totalTokens,
  UNSURE_OF_ALL,
  type UnsureOfAll,
  type Usage,
} from "./transcript/events.ts";
export { type FoldOptions, foldEvents } from "./transcript/fold-events.ts";
export { toolKind, toolNames } from "./transcript/tool-kinds.ts";
export {
  asksBack,
  contentOf,
  type LeftFile,
  type ToolCall,
  type Transcript,
  type WorkspaceFiles,
} from "./transcript/transcript.ts";
