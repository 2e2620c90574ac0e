import type { AgentAdapter } from "../../hosts/index.ts";
import type { Reach, StagedSkills } from "../../hosts/reading/index.ts";
import { ToolCalls } from "../../hosts/reading/index.ts";
import type { Activation, TrialEvent } from "../../model/index.ts";
import { wellFormed } from "../agents/trial/trial.ts";
import type { Move, ProposedCall } from "./protocols/protocol.ts";

/**
 * The model's words, its calls, and the skills they reach for, by the rules for the host's trials. There are no
 * results. `unlisted`: skills kept from models.
 */
export function eventsOf(
  { firstMove, reach }: Pick<AgentAdapter, "firstMove" | "reach">,
  move: Move,
  { staged, unlisted }: { staged: StagedSkills; unlisted: ReadonlySet<string> },
): TrialEvent[] {
  if (firstMove?.eventsOf !== undefined) return firstMove.eventsOf(move.items, staged).map(wellFormed);
  const spoken: TrialEvent[] = move.text === "" ? [] : [{ type: "text", turn: 1, text: move.text }];
  return [
    ...spoken.map(wellFormed),
    ...move.calls.flatMap((call) =>
      callEvents({ ...call, reach: reach?.(call.tool, call.input) ?? { way: "none" } }, staged, unlisted),
    ),
  ];
}

function callEvents(
  { id, tool, input, reach }: ProposedCall & { reach: Reach },
  staged: StagedSkills,
  unlisted: ReadonlySet<string>,
): TrialEvent[] {
  const calls = new ToolCalls(staged);
  const told = calls.call({ turn: 1, id, tool, input, reach });
  return [
    ...told,
    ...calls
      .end()
      .map((event) =>
        event.type === "activation" ? { ...event, evidence: evidenceOf(event, reach, unlisted) } : event,
      ),
  ];
}

/** Any path can be opened, but the skill tool refuses skills that are kept from models. */
function evidenceOf(
  { skill, evidence }: Activation,
  reach: Reach,
  unlisted: ReadonlySet<string>,
): Activation["evidence"] {
  if (reach.way === "file") return "read";
  return reach.way === "tool" && unlisted.has(skill) ? "refused" : evidence;
}
