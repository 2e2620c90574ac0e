import type { AgentAdapter, LaunchPlan, TrialSetup } from "../../../hosts/index.ts";
import type { Json } from "../../../hosts/reading/index.ts";
import type { Usage } from "../../../model/index.ts";

/** An agent of your own: how it is started, where it finds skills, and what its output means. */
export interface AgentDefinition {
  name: string;
  /** An executable on PATH, or a path to one, relative to the file that defines it. Asked for `--version`. */
  command: string;
  /** Where it finds skills, relative to the workspace. */
  skillsDir: string;
  /** Files at the root of a project that it takes as instructions, for `--with-context`. */
  contextFiles?: string[];
  /** The model where none is named after `agent:FILE:`. */
  model?: string;
  /** The command that installs it. */
  install?: string;
  /** Variables that log it in, passed through from the environment. Empty: it needs none. */
  keys?: string[];
  /** Raise it when the agent became another one in a way that no file here shows: everything is asked again. */
  revision?: number;
  /** Files or globs, relative to the file that defines it, whose change makes it another agent. What that file imports is known. */
  sources?: string[];
  /** It cannot write outside its workspace, so that it may run without a sandbox. */
  readOnly?: boolean;
  launch(trial: TrialSetup): LaunchPlan;
  /** For cases of several messages, both or neither: the session, where a JSON line of its stdout names it … */
  session?(line: Json): string | undefined;
  /** … and how it is told the next message of that session, `trial.prompt`. */
  resume?(trial: TrialSetup, session: string): LaunchPlan;
  /** What one JSON line of its stdout shows. Called in order, once per trial for every line. */
  events(line: Json): Sighting[];
}

/** An adapter with what only a definition has. */
export interface DefinedAgent extends AgentAdapter {
  sources: readonly string[];
}

export type Sighting =
  | { type: "text"; text: string; agent?: string }
  /** `skill`: the name its skill tool was given. `file`: a path it opens. `shell`: a command line. */
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
  /** It reached its end; with `error`, in a way that measures nothing. A process that ends without this has crashed. */
  | { type: "end"; usage?: Usage; costUsd?: number; error?: { status?: number; message: string } };
