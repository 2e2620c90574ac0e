import type { AgentAdapter, EventReader, Exit } from "../../../hosts/index.ts";
import {
  apiError,
  crashed,
  failedEnd,
  type Json,
  type Reach,
  type StagedSkills,
  ToolCalls,
} from "../../../hosts/reading/index.ts";
import type { EndEvent, TrialError, TrialEvent } from "../../../model/index.ts";
import { checkDefinition, checkedPlan, checkedSession, checkedSightings } from "./check-definition.ts";
import type { AgentDefinition, DefinedAgent, Sighting } from "./definition.ts";
import { DefinitionFault, guarded } from "./definition-fault.ts";

/** Makes an adapter for `-t agent:FILE`. Throws a UsageError if the definition is wrong. */
export function defineAgent(definition: AgentDefinition): DefinedAgent {
  checkDefinition(definition);
  const { name, keys = [], sources = [] } = definition;
  return {
    id: name,
    title: name,
    provider: name,
    revision: definition.revision ?? 1,
    command: definition.command,
    install: definition.install ?? "",
    tested: ["", ""],
    defaultModel: definition.model ?? "default",
    skillsDir: definition.skillsDir,
    contextFiles: definition.contextFiles ?? [],
    keys,
    sources,
    endpointVariable: `PROCTOR_${name.toUpperCase().replace(/\W/g, "_")}_BASE_URL`,
    endpointPath: "",
    readOnlyProfile: definition.readOnly ?? false,
    silent: true,
    stopSignal: "SIGTERM",
    launch: (trial) => guarded(name, "launch", () => checkedPlan(definition.launch(trial))),
    ...conversationOf(definition),
    reader: (staged) => new SightingReader(definition, { id: name, keys }, staged),
    shown: () => ({ entries: [], listing: [], characters: 0 }),
  };
}

function conversationOf({ name, session, resume }: AgentDefinition): Pick<AgentAdapter, "conversation"> {
  if (session === undefined || resume === undefined) return {};
  return {
    conversation: {
      session: (line) => guarded(name, "session", () => checkedSession(session(line))),
      resume: (trial, id) => guarded(name, "resume", () => checkedPlan(resume(trial, id))),
    },
  };
}

class SightingReader implements EventReader {
  #definition: AgentDefinition;
  #cli: { id: string; keys: string[] };
  #calls: ToolCalls;
  #turn = 0;
  #modelSpeaks = false;
  #end: Extract<Sighting, { type: "end" }> | undefined;
  #fault: TrialError | undefined;

  constructor(definition: AgentDefinition, cli: { id: string; keys: string[] }, staged: StagedSkills) {
    this.#definition = definition;
    this.#cli = cli;
    this.#calls = new ToolCalls(staged);
  }

  read(line: Json): TrialEvent[] {
    if (this.#fault !== undefined) return [];
    try {
      const { name } = this.#definition;
      const sightings = guarded(name, "events", () => checkedSightings(this.#definition.events(line)));
      return sightings.flatMap((sighting) => this.#seen(sighting));
    } catch (error) {
      if (!(error instanceof DefinitionFault)) throw error;
      this.#fault = error.failure;
      return [];
    }
  }

  /** A fault in the definition already is the trial's error; there is nothing to wait for. */
  enough(): boolean {
    return this.#fault !== undefined;
  }

  #seen(sighting: Sighting): TrialEvent[] {
    switch (sighting.type) {
      case "text":
        return [{ type: "text", turn: this.#speak(), text: sighting.text, agent: sighting.agent }];
      case "call": {
        const { id, tool, input, agent } = sighting;
        return this.#calls.call({ turn: this.#speak(), id, tool, input, agent, reach: reachOf(sighting) });
      }
      case "result":
        this.#modelSpeaks = false;
        return this.#calls.result(sighting.id, { ok: sighting.ok, output: sighting.text });
      case "end":
        this.#end = sighting;
        return [];
    }
  }

  end(exit: Exit): { events: TrialEvent[]; end: EndEvent } {
    const { usage, costUsd, error } = this.#end ?? {};
    const spent = { usage, costUsd };
    const failure = this.#fault ?? this.#failure(exit, error);
    return {
      events: this.#calls.end(),
      end: failure === undefined ? { type: "end", how: "completed", ...spent } : { ...failedEnd(failure), ...spent },
    };
  }

  #failure(exit: Exit, error: Extract<Sighting, { type: "end" }>["error"]): TrialError | undefined {
    if (error !== undefined) return apiError(this.#cli, error.status, error.message);
    if (this.#end !== undefined) return undefined;
    const ended = crashed(this.#cli, exit);
    if (exit.failed !== undefined)
      return { ...ended, message: `${this.#cli.id} could not be started: ${exit.failed.message}` };
    if (exit.code !== 0) return { ...ended, message: `${ended.message}. The record holds its raw output.` };
    const message = `${this.#cli.id} ended, but \`events\` reported no { type: "end" }. Return one for the line that ends its output.`;
    return { ...ended, message, retryable: false };
  }

  /** Speech after a result starts the next turn. */
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
