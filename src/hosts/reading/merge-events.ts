import type { TrialEvent } from "../../model/index.ts";
import type { SessionFacts, SubAgent } from "../adapter.ts";
import { json } from "./json.ts";

/**
 * A trial's events in order: those of stdout, plus those only in session files. A sub-agent's events are placed between
 * the call that started it and its result, on that call's turn.
 */
export function eventsInOrder(
  told: readonly TrialEvent[],
  { before = [], agents = [] }: Pick<SessionFacts, "before" | "agents">,
): TrialEvent[] {
  const all = [...before, ...told];
  const taken = new Set<string>();
  const known = new Set(told.flatMap((event) => (event.type === "call" ? [event.id] : [])));
  for (const agent of agents) {
    // Stdout has reported it already.
    if (agent.events.some((event) => event.type === "call" && known.has(event.id))) continue;
    const call = starter(all, agent, taken);
    if (call !== undefined) taken.add(call.id);
    const turn = call?.turn ?? Math.max(1, ...all.map((event) => ("turn" in event ? event.turn : 1)));
    const result = all.findIndex((event) => event.type === "result" && event.id === call?.id);
    all.splice(result < 0 ? all.length : result, 0, ...agent.events.map((event) => onTurn(event, turn)));
  }
  return all;
}

type CallEvent = Extract<TrialEvent, { type: "call" }>;

/** Sub-agents with the same task are told apart only by their order. */
function starter(all: readonly TrialEvent[], { call, task }: SubAgent, taken: Set<string>): CallEvent | undefined {
  const calls = all.filter((event) => event.type === "call" && !taken.has(event.id)) as CallEvent[];
  return (
    calls.find(({ id }) => id === call) ??
    (task === undefined ? undefined : calls.find(({ input }) => json(input)["prompt"] === task))
  );
}

export function onTurn(event: TrialEvent, turn: number): TrialEvent {
  return "turn" in event ? { ...event, turn } : event;
}
