/**
 * What happened: the events of a trial, whatever the host, and the transcript they fold into.
 * Decides which activations count, and never what they mean for a question.
 */
export { countedActivations, type EvidenceRule, firstMove } from "./counted.ts";
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
  type Usage,
} from "./event.ts";
export { type FoldOptions, foldEvents } from "./fold.ts";
export type { Transcript } from "./transcript.ts";
export { addUsage } from "./usage.ts";
