import type { Evidence, TrialEvent } from "../../transcripts/index.ts";
import type { StagedSkill, StagedSkills } from "./staged-skills.ts";

/** How a tool call reaches for skills. */
export type Reach =
  /** The host's skill tool, with the name it was given. */
  | { way: "tool"; name: unknown }
  /** A file is opened. */
  | { way: "file"; path: unknown; cwd?: string }
  /** A shell command; what it prints may give a skill away where its words do not. */
  | { way: "shell"; command: unknown; cwd?: string }
  | { way: "none" };

export interface Call {
  turn: number;
  id: string;
  tool: string;
  input: unknown;
  agent?: string;
  reach: Reach;
}

/** Follows tool calls to their results and turns what reached for a skill into activations. */
export class ToolCalls {
  #staged: StagedSkills;
  #open = new Map<string, Call>();
  #turns = new Map<string, number>();

  constructor(staged: StagedSkills) {
    this.#staged = staged;
  }

  call(call: Call): TrialEvent[] {
    if (this.#open.has(call.id)) return [];
    this.#open.set(call.id, call);
    this.#turns.set(call.id, call.turn);
    const { turn, id, tool, input, agent } = call;
    return [{ type: "call", turn, id, tool, input, agent }];
  }

  /** `skill`: who was loaded by the host's own account, where it says so. */
  result(id: string, ok: boolean, output?: string, skill?: StagedSkill): TrialEvent[] {
    const call = this.#open.get(id);
    if (call === undefined) return [];
    this.#open.delete(id);
    const result: TrialEvent = { type: "result", id, ok, text: output };
    return [result, ...this.#settled(call, ok, output, skill)];
  }

  /** Shell calls that are open stand for others that will be reported one by one: they reach for nothing themselves. */
  overrule(): void {
    for (const call of this.#open.values()) if (call.reach.way === "shell") call.reach = { way: "none" };
  }

  /** On which turn something was called. */
  turnOf(id: string): number | undefined {
    return this.#turns.get(id);
  }

  isOpen(id: string): boolean {
    return this.#open.has(id);
  }

  /** Calls whose result was never seen. */
  end(): TrialEvent[] {
    const left = [...this.#open.values()];
    this.#open.clear();
    return left.flatMap((call) => this.#reached(call).map((skill) => activation(call, skill.id, "called")));
  }

  #settled(call: Call, ok: boolean, output: string | undefined, skill: StagedSkill | undefined): TrialEvent[] {
    switch (call.reach.way) {
      case "none":
        return [];
      case "tool": {
        // A skill of the host's own (only where they are kept) is not in the library: the call is on record, and that is all.
        const known = skill ?? this.#staged.byLoad(call.reach.name, output);
        return known === undefined ? [] : [activation(call, known.id, ok ? "loaded" : "refused")];
      }
      case "file":
        return this.#reached(call).map((one) => activation(call, one.id, ok ? "read" : "refused"));
      case "shell":
        return this.#staged
          .byShell(call.reach.command, ok, output, call.reach.cwd)
          .map((one) => activation(call, one.skill.id, one.shown ? "read" : "refused"));
    }
  }

  #reached({ reach }: Call): StagedSkill[] {
    switch (reach.way) {
      case "tool":
        return some(this.#staged.byName(reach.name));
      case "file":
        return some(this.#staged.byFile(reach.path, reach.cwd));
      case "shell":
        return this.#staged.byCommand(reach.command, reach.cwd);
      case "none":
        return [];
    }
  }
}

function activation(call: Call, skill: string, evidence: Evidence): TrialEvent {
  return { type: "activation", skill, turn: call.turn, evidence, agent: call.agent };
}

function some<T>(value: T | undefined): T[] {
  return value === undefined ? [] : [value];
}
