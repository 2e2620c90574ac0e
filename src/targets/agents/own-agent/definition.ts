import type { AgentAdapter, LaunchPlan, TrialSetup } from "../../../hosts/index.ts";
import type { Json } from "../../../hosts/reading/index.ts";
import type { Usage } from "../../../model/index.ts";

/** An agent of your own: how it is started, where it finds skills, and what its output means. */
export interface AgentDefinition {
  name: string;
  /** An executable on PATH, or a path relative to the defining file. Started with `--version` to identify it. */
  command: string;
  skillsDir: string;
  /** Files at the root of a project that it reads as instructions, for `--with-context`. */
  contextFiles?: string[];
  /** The default model, if none is named in `agent:FILE:MODEL`. */
  model?: string;
  install?: string;
  /** Variables that log it in, passed through from the environment. Empty if it needs none. */
  keys?: string[];
  /** Raise it when the agent changes in a way no file here shows: cached answers no longer count. */
  revision?: number;
  /**
   * Files or globs, relative to the defining file, whose change makes it another agent. Imports are found without it.
   */
  sources?: string[];
  /** Cannot write outside its workspace, so it may run without a sandbox. */
  readOnly?: boolean;
  launch(trial: TrialSetup): LaunchPlan;
  /** Returns the session's id if this line of stdout names it. For multi-message cases; needs `resume`. */
  session?(line: Json): string | undefined;
  /** How to send `trial.prompt` as the next message of that session. */
  resume?(trial: TrialSetup, session: string): LaunchPlan;
  /** What one JSON line of stdout shows. Called once per line, in order. */
  events(line: Json): Sighting[];
}

export interface DefinedAgent extends AgentAdapter {
  sources: readonly string[];
}

export type Sighting =
  | { type: "text"; text: string; agent?: string }
  /** `skill`: the name given to its skill tool. `file`: a path it opens. `shell`: a command line. */
  | {
      type: "call";
      id: string;
      tool: string;
      input?: unknown;
      skill?: string;
      file?: string;
      shell?: string;
      agent?: string;
    }
  | { type: "result"; id: string; ok: boolean; text?: string }
  /** The regular end; with `error`, nothing was measured. A process that ends without this has crashed. */
  | { type: "end"; usage?: Usage; costUsd?: number; error?: { status?: number; message: string } };
