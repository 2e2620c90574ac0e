/**
 * What happened: the events of a trial, whatever the host, and the transcript they fold into.
 * Decides which activations count, but not what they mean for a question.
 */

export { addUsage } from "./add-usage.ts";
export { countedActivations, type EvidenceRule, firstMove } from "./counted-activations.ts";
export {
  type Activation,
  type EndEvent,
  ERROR_REASONS,
  type ErrorReason,
  EVIDENCE,
  type Evidence,
  type ListingEntry,
  type Prediction,
  type Ranked,
  type Resources,
  type TrialError,
  type TrialEvent,
  UNSURE_OF_ALL,
  type UnsureOfAll,
  type Usage,
} from "./events.ts";
export { type FoldOptions, foldEvents } from "./fold-events.ts";
export { predictedVerdict } from "./predicted-verdict.ts";
export { toolKind, toolNames } from "./tool-kinds.ts";
export { totalTokens } from "./total-tokens.ts";
export type { ToolCall, Transcript } from "./transcript.ts";
export { contentOf, type LeftFile, type WorkspaceFiles } from "./workspace-files.ts";
