import type { Activation, ListingEntry, Prediction, Resources, TrialError, Usage } from "./events.ts";

export interface ToolCall {
  turn: number;
  id: string;
  tool: string;
  input: unknown;
  agent?: string;
  /** Absent if no result was seen. */
  ok?: boolean;
  result?: string;
  /** Milliseconds from the start of the trial until the host reported the call; absent if unknown. */
  ms?: number;
  /** Milliseconds between call and result; absent if the host reported both at once. */
  tookMs?: number;
}

export type Outcome = { status: "activations"; activations: Activation[] } | { status: "error"; error: TrialError };

/** A trial's events, folded into one value. */
export interface Transcript {
  outcome: Outcome;
  /** All activations in order, whatever their evidence, even if the trial ended in an error. */
  activations: Activation[];
  calls: ToolCall[];
  /** Texts by turn, with the time the host reported them if known. A sub-agent's texts carry its name. */
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
  workspace?: WorkspaceFiles;
}

export interface LeftFile {
  /** Relative to the workspace, with forward slashes. */
  path: string;
  change: "added" | "changed" | "removed" | "same";
  /** `link` leads out of the workspace or nowhere, and is not followed. `special` is neither a file nor a folder. */
  kind: "file" | "folder" | "link" | "special";
  /** Set on a folder whose contents are too many or too deep to list. */
  unlisted?: true;
  bytes?: number;
  sha256?: string;
  executable?: true;
  /** Content, if it is text and short enough to keep. Other content is in `base64`. */
  text?: string;
  base64?: string;
  /** Text of a changed or removed file before the trial, if it was short enough to keep. */
  before?: string;
}

/** The workspace as the examinee left it, kept so that its files can be graded again later. */
export interface WorkspaceFiles {
  files: LeftFile[];
  cut?: string;
}

/** Undefined for folders, links, removed files, and files whose content was not kept. */
export function contentOf(file: LeftFile): Buffer | undefined {
  if (file.text !== undefined) return Buffer.from(file.text, "utf8");
  return file.base64 === undefined ? undefined : Buffer.from(file.base64, "base64");
}

/** True if the last line that contains letters ends with a question mark. */
export function asksBack(finalText: string): boolean {
  const lines = finalText.split(/\r?\n/).filter((line) => /\p{L}/u.test(line));
  const last = lines
    .at(-1)
    ?.trimEnd()
    .replace(/(?<![\s*_"'`)\]”’»])[\s*_"'`)\]”’»]+$/u, "");
  return last !== undefined && /[?？؟]$/u.test(last);
}
