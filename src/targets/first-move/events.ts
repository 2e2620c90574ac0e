import type { Activation, TrialEvent } from "../../transcripts/index.ts";
import type { Json } from "../../hosts/adapter.ts";
import { Calls, type Reach } from "../../hosts/reading/tool-calls.ts";
import { reach as claude } from "../../hosts/claude/read.ts";
import { session as codexSession } from "../../hosts/codex/session.ts";
import { reach as copilot } from "../../hosts/copilot/read.ts";
import { reach as gemini } from "../../hosts/gemini/read.ts";
import { reach as opencode } from "../../hosts/opencode/read.ts";
import { reach as qwen } from "../../hosts/qwen/read.ts";
import type { StagedSkills } from "../../hosts/reading/staged-skills.ts";
import { wellFormed } from "../agents/trial/trial.ts";
import type { Move, ToolCall } from "./protocols/protocol.ts";

/** How each host's tools reach for skills, by the rules with which its trials are read. */
const reaches: Record<string, (tool: string, input: Json) => Reach> = { claude, copilot, gemini, opencode, qwen };

/** What the model's one turn means: its words, its calls, and the skills they reach for. No result is ever seen. `unlisted`: skills kept from models. */
export function eventsOf(host: string, move: Move, staged: StagedSkills, unlisted: ReadonlySet<string>): TrialEvent[] {
  // Codex's session file holds the very items the provider sent, commands included.
  if (host === "codex") return codexEvents(move, staged).map(wellFormed);
  const spoken: TrialEvent[] = move.text === "" ? [] : [{ type: "text", turn: 1, text: move.text }];
  return [
    ...spoken.map(wellFormed),
    ...move.calls.flatMap((call) => callEvents(call, reaches[host]!(call.tool, call.input), staged, unlisted)),
  ];
}

function callEvents({ id, tool, input }: ToolCall, reach: Reach, staged: StagedSkills, unlisted: ReadonlySet<string>): TrialEvent[] {
  const calls = new Calls(staged);
  const told = calls.call({ turn: 1, id, tool, input, reach });
  return [
    ...told,
    ...calls.end().map((event) => (event.type === "activation" ? { ...event, evidence: evidenceOf(event, reach, unlisted) } : event)),
  ];
}

/** A path is opened whatever the host thinks of it; its skill tool turns down what it keeps from models. */
function evidenceOf({ skill, evidence }: Activation, reach: Reach, unlisted: ReadonlySet<string>): Activation["evidence"] {
  if (reach.way === "file") return "read";
  return reach.way === "tool" && unlisted.has(skill) ? "refused" : evidence;
}

function codexEvents(move: Move, staged: StagedSkills): TrialEvent[] {
  const lines = move.items.map((payload) => JSON.stringify({ type: "response_item", payload }));
  return codexSession?.read([{ path: "first-move", text: lines.join("\n") }], staged).events ?? [];
}
