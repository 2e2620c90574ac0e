import type { Activation, ListingEntry, Prediction, Resources, TrialError, Usage } from "./events.ts";
import type { WorkspaceFiles } from "./workspace-files.ts";

export interface ToolCall {
  turn: number;
  id: string;
  tool: string;
  input: unknown;
  agent?: string;
  /** Absent when no result was seen. */
  ok?: boolean;
  result?: string;
  /** From the start of the trial until the host reported the call; absent where that is unknown. */
  ms?: number;
  /** From there until it reported the result; absent where it reported both at once. */
  tookMs?: number;
}

/** What a trial came to: activations (maybe none), or an error. */
export type Outcome = { status: "activations"; activations: Activation[] } | { status: "error"; error: TrialError };

/** A trial's events, folded. */
export interface Transcript {
  outcome: Outcome;
  /** Every activation in order, whatever its evidence, also when the trial ended in an error. */
  activations: Activation[];
  calls: ToolCall[];
  /** The texts, turn by turn, with the time the host reported each where that is known; a sub-agent's carry its name. `finalText` is the examinee's own last text. */
  texts: { turn: number; text: string; agent?: string; ms?: number }[];
  finalText: string;
  turns: number;
  how: "completed" | "max_turns" | "stopped" | "error";
  prediction?: Prediction;
  listing?: ListingEntry[];
  usage?: Usage;
  costUsd?: number;
  costEstimated?: boolean;
  model?: string;
  resources?: Resources;
  /** What it left in its workspace, where it had one. */
  workspace?: WorkspaceFiles;
}
