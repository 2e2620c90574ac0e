import type { EndEvent, TrialEvent, Usage } from "../../transcripts/index.ts";
import type { AgentAdapter, EventReader, Json, LaunchPlan, TrialSetup } from "./adapter.ts";
import { Calls, type Reach } from "./calls.ts";
import { apiError, crashed, failedEnd } from "./errors.ts";
import type { StagedSkills } from "./staged.ts";

/** An agent of your own: how it is started, where it finds skills, and what its output means. */
export interface AgentDefinition {
  name: string;
  /** An executable on PATH, or a path to one. Asked for `--version`, which is part of the target's identity. */
  command: string;
  /** Where it finds skills, relative to the workspace. */
  skillsDir: string;
  model?: string;
  install?: string;
  /** Variables that log it in, passed through from the environment. Empty: it needs none. */
  keys?: string[];
  /** Grows when the definition changes what is measured. */
  revision?: number;
  /** It cannot write outside its workspace, so that it may run without a sandbox. */
  readOnly?: boolean;
  launch(trial: TrialSetup): LaunchPlan;
  /** What one JSON line of its stdout shows. Called in order, once per trial for every line. */
  events(line: Json): Sighting[];
}

export type Sighting =
  | { type: "text"; text: string; agent?: string }
  /** `skill`: the name its skill tool was given. `file`: a path it opens. `shell`: a command line. */
  | { type: "call"; id: string; tool: string; input?: unknown; skill?: string; file?: string; shell?: string; agent?: string }
  | { type: "result"; id: string; ok: boolean; text?: string }
  /** It reached its end; with `error`, in a way that measures nothing. A process that ends without this has crashed. */
  | { type: "end"; usage?: Usage; costUsd?: number; error?: { status?: number; message: string } };

/** Makes an adapter of a definition, for `-t agent:FILE`. */
export function defineAgent(definition: AgentDefinition): AgentAdapter {
  const keys = definition.keys ?? [];
  return {
    id: definition.name,
    title: definition.name,
    provider: definition.name,
    revision: definition.revision ?? 1,
    command: definition.command,
    install: definition.install ?? `your own means: it is defined by you`,
    tested: ["0.0.0", "999999.0.0"],
    defaultModel: definition.model ?? "default",
    skillsDir: definition.skillsDir,
    keys,
    endpointVariable: `PROCTOR_${definition.name.toUpperCase().replaceAll("-", "_")}_BASE_URL`,
    endpointPath: "",
    readOnlyProfile: definition.readOnly ?? false,
    stopSignal: "SIGTERM",
    launch: (trial) => definition.launch(trial),
    reader: (staged) => new SightingReader(definition, { id: definition.name, keys }, staged),
    shown: () => ({ entries: [], listing: [], characters: 0 }),
  };
}

class SightingReader implements EventReader {
  #definition: AgentDefinition;
  #cli: { id: string; keys: string[] };
  #calls: Calls;
  #turn = 0;
  #modelSpeaks = false;
  #end: Extract<Sighting, { type: "end" }> | undefined;

  constructor(definition: AgentDefinition, cli: { id: string; keys: string[] }, staged: StagedSkills) {
    this.#definition = definition;
    this.#cli = cli;
    this.#calls = new Calls(staged);
  }

  read(line: Json): TrialEvent[] {
    return this.#definition.events(line).flatMap((sighting) => this.#seen(sighting));
  }

  #seen(sighting: Sighting): TrialEvent[] {
    switch (sighting.type) {
      case "text":
        return [{ type: "text", turn: this.#speak(), text: sighting.text, ...(sighting.agent && { agent: sighting.agent }) }];
      case "call": {
        const { id, tool, input, agent } = sighting;
        return this.#calls.call({ turn: this.#speak(), id, tool, input, ...(agent && { agent }), reach: reachOf(sighting) });
      }
      case "result":
        this.#modelSpeaks = false;
        return this.#calls.result(sighting.id, sighting.ok, sighting.text);
      case "end":
        this.#end = sighting;
        return [];
    }
  }

  end(exit: Parameters<EventReader["end"]>[0]): { events: TrialEvent[]; end: EndEvent } {
    const { usage, costUsd, error } = this.#end ?? {};
    const spent = { ...(usage && { usage }), ...(costUsd !== undefined && { costUsd }) };
    const failure =
      error !== undefined
        ? apiError(this.#cli, error.status, error.message)
        : this.#end === undefined
          ? crashed(this.#cli, exit)
          : undefined;
    return {
      events: this.#calls.end(),
      end: failure === undefined ? { type: "end", how: "completed", ...spent } : { ...failedEnd(failure), ...spent },
    };
  }

  /** What it says after a result is its next turn. */
  #speak(): number {
    if (!this.#modelSpeaks) this.#turn++;
    this.#modelSpeaks = true;
    return this.#turn;
  }
}

function reachOf({ skill, file, shell }: Extract<Sighting, { type: "call" }>): Reach {
  if (skill !== undefined) return { way: "tool", name: skill };
  if (file !== undefined) return { way: "file", path: file };
  return shell === undefined ? { way: "none" } : { way: "shell", command: shell };
}
