/**
 * What happened: the events of a trial, whatever the host, and the transcript they fold into.
 * Decides which activations count, and never what they mean for a question.
 */
export type {
  Activation,
  EndEvent,
  ErrorReason,
  Evidence,
  ListingEntry,
  Prediction,
  Ranked,
  TrialError,
  TrialEvent,
  Usage,
} from "./event.ts";
export type { Outcome, ToolCall, Transcript } from "./transcript.ts";
