import type { Evidence, TrialEvent } from "../../model/index.ts";
import type { Json } from "./json.ts";
import type { StagedSkill, StagedSkills } from "./staged-skills.ts";

export type Reach =
  | { way: "tool"; name: unknown }
  | { way: "file"; path: unknown; cwd?: string }
  | { way: "shell"; command: unknown; cwd?: string }
  /** Only the output tells which files it showed. */
  | { way: "search" }
  | { way: "none" };

interface ReachingTools {
  skill: readonly [tool: string, name: string];
  read: readonly [tool: string, path: string];
  shell: readonly [tool: string, command: string];
  search: readonly string[];
}

export function reachBy({ skill, read, shell, search }: ReachingTools): (tool: string, input: Json) => Reach {
  return (tool, input) => {
    if (tool === skill[0]) return { way: "tool", name: input[skill[1]] };
    if (tool === read[0]) return { way: "file", path: input[read[1]] };
    if (tool === shell[0]) return { way: "shell", command: input[shell[1]] };
    return { way: search.includes(tool) ? "search" : "none" };
  };
}

export interface Call {
  turn: number;
  id: string;
  tool: string;
  input: unknown;
  agent?: string;
  reach: Reach;
}

interface CallOutcome {
  ok: boolean;
  output?: string | undefined;
  /** The skill that the host reports as loaded, if it does. */
  skill?: StagedSkill | undefined;
}

/** A call that the host's permissions forbade. `skill` is undefined if it may have meant any skill. */
export interface KeptFrom {
  skill: string | undefined;
  words: string;
}

export class ToolCalls {
  #staged: StagedSkills;
  /** Calls without a result. Models sometimes give two calls of one message the same id. */
  #open = new Map<string, Call[]>();
  #calls = new Map<string, Call[]>();
  #forbidden = new Map<string, string>();

  constructor(staged: StagedSkills) {
    this.#staged = staged;
  }

  call(call: Call): TrialEvent[] {
    const open = this.#open.get(call.id) ?? [];
    // The same call, reported again.
    if (open.some((one) => one.tool === call.tool && JSON.stringify(one.input) === JSON.stringify(call.input)))
      return [];
    const known = this.#calls.get(call.id) ?? [];
    this.#open.set(call.id, [...open, call]);
    this.#calls.set(call.id, [...known, call]);
    const { turn, tool, input, agent } = call;
    return [{ type: "call", turn, id: this.#idOf(call), tool, input, agent }];
  }

  result(id: string, outcome: CallOutcome): TrialEvent[] {
    const [call, ...others] = this.#open.get(id) ?? [];
    if (call === undefined) return [];
    if (others.length === 0) this.#open.delete(id);
    else this.#open.set(id, others);
    const result: TrialEvent = { type: "result", id: this.#idOf(call), ok: outcome.ok, text: outcome.output };
    return [result, ...this.#settled(call, outcome)];
  }

  forbid(id: string, words: string): void {
    if (!this.#forbidden.has(id)) this.#forbidden.set(id, words);
  }

  keptFrom(): KeptFrom[] {
    return [...this.#forbidden].flatMap(([id, words]) =>
      (this.#calls.get(id) ?? []).flatMap((call): KeptFrom[] => {
        const skills = this.#reached(call);
        if (skills.length > 0) return skills.map((skill) => ({ skill: skill.id, words }));
        return call.reach.way !== "tool" && this.#staged.mayMean(JSON.stringify(call.input) ?? "")
          ? [{ skill: undefined, words }]
          : [];
      }),
    );
  }

  /** Ignores open shell calls: the calls inside them are reported one by one. */
  overrule(): void {
    for (const call of [...this.#open.values()].flat()) if (call.reach.way === "shell") call.reach = { way: "none" };
  }

  turnOf(id: string): number | undefined {
    return this.#calls.get(id)?.at(-1)?.turn;
  }

  isOpen(id: string): boolean {
    return this.#open.has(id);
  }

  end(): TrialEvent[] {
    const left = [...this.#open.values()].flat();
    this.#open.clear();
    return left.flatMap((call) => this.#reached(call).map((skill) => activation(call, skill.id, "called")));
  }

  #idOf(call: Call): string {
    const place = this.#calls.get(call.id)?.indexOf(call) ?? 0;
    return place < 1 ? call.id : `${call.id}#${place + 1}`;
  }

  #settled(call: Call, { ok, output, skill }: CallOutcome): TrialEvent[] {
    switch (call.reach.way) {
      case "none":
        return [];
      case "tool": {
        // A bundled skill (only in realistic runs) is not in the library: the call is recorded, but activates nothing.
        const known = skill ?? this.#staged.byLoad(call.reach.name, output);
        return known === undefined ? [] : [activation(call, known.id, ok ? "loaded" : "refused")];
      }
      case "file": {
        // The file may have been reached by another path, such as a link; its text then shows which skill it is.
        const shown = ok ? this.#staged.byText(output) : [];
        return [...new Set([...this.#reached(call), ...shown])].map((one) =>
          activation(call, one.id, ok ? "read" : "refused"),
        );
      }
      case "search":
        return this.#staged.byText(output).map((one) => activation(call, one.id, "read"));
      case "shell":
        return this.#staged
          .byShell(call.reach.command, { ok, output, cwd: call.reach.cwd })
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
      case "search":
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
