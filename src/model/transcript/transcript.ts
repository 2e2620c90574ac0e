import type { Activation, ListingEntry, Prediction, Resources, TrialError, Usage } from "./events.ts";

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

/** One entry of the workspace as the examinee left it. */
export interface LeftFile {
  /** Relative to the workspace, with forward slashes. */
  path: string;
  change: "added" | "changed" | "removed" | "same";
  /** `link`: one that leads out of the workspace, or nowhere; it is not followed. `special`: neither a file nor a folder. */
  kind: "file" | "folder" | "link" | "special";
  /** Of a folder: what is in it is not told, for it is too much or too deep. */
  unlisted?: true;
  bytes?: number;
  sha256?: string;
  executable?: true;
  /** What it holds, where it is text, and not too long to be kept. */
  text?: string;
  /** What it holds otherwise. */
  base64?: string;
  /** Of a file that was changed or removed: what it held before, where that was text, and not too long to be kept. */
  before?: string;
}

/** What the examinee left in its workspace, so that its files can be checked later too. */
export interface WorkspaceFiles {
  files: LeftFile[];
  /** Why something of it is not here. */
  cut?: string;
}

/** A file whose content was not kept cannot be read from here; a folder, a link and what was removed have none. */
export function contentOf(file: LeftFile): Buffer | undefined {
  if (file.text !== undefined) return Buffer.from(file.text, "utf8");
  return file.base64 === undefined ? undefined : Buffer.from(file.base64, "base64");
}

/** Did the examinee end by asking instead of working? Its last line of words is a question. */
export function asksBack(finalText: string): boolean {
  const lines = finalText.split(/\r?\n/).filter((line) => /\p{L}/u.test(line));
  const last = lines
    .at(-1)
    ?.trimEnd()
    .replace(/(?<![\s*_"'`)\]”’»])[\s*_"'`)\]”’»]+$/u, "");
  return last !== undefined && /[?？؟]$/u.test(last);
}
