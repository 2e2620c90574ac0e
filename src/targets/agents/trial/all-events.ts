import type { Exit, SessionFacts } from "../../../hosts/index.ts";
import { eventsInOrder } from "../../../hosts/reading/index.ts";
import { type Activation, countedActivations, type TrialEvent } from "../../../model/index.ts";

/**
 * Combines what stdout reported with what only the session files report. Where session files replace stdout,
 * activations that only stdout saw are kept if we ended the CLI: it may have had no time to write them down.
 */
export function allEvents(told: readonly TrialEvent[], facts: SessionFacts, exit: Pick<Exit, "stopped">): TrialEvent[] {
  if (facts.events === undefined) return eventsInOrder(told, facts);
  if (exit.stopped === undefined) return facts.events;
  const known = new Set(counted(facts.events).map(({ skill }) => skill));
  const turn = Math.max(1, ...facts.events.map((event) => ("turn" in event ? event.turn : 1)));
  const lost = counted(told).filter(({ skill }) => !known.has(skill));
  return [...facts.events, ...lost.map((activation): TrialEvent => ({ type: "activation", ...activation, turn }))];
}

function counted(events: readonly TrialEvent[]): Activation[] {
  return countedActivations(events.filter((event) => event.type === "activation")).map(
    ({ skill, turn, evidence, agent }) => ({
      skill,
      turn,
      evidence,
      agent,
    }),
  );
}
