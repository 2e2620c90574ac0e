import type { TrialEvent } from "../../model/index.ts";
import type { AgentAdapter, SessionFacts, SessionFile, ShownSkills, SubAgent } from "../adapter.ts";
import { type Json, json, jsonLines, list, strings, text } from "../reading/json.ts";
import { isFact, keptEnding } from "../reading/request-facts.ts";
import type { StagedSkills } from "../reading/staged-skills.ts";
import { ToolCalls } from "../reading/tool-calls.ts";
import { keptListing, shownIn, skillsBlock } from "../reading/xml-listing.ts";
import { TELEMETRY } from "./launch.ts";
import { reach } from "./read.ts";

/**
 * Sub-agents are not on stdout; each has its own file below the session's. The session file has the prompt and the
 * results of searches.
 */
export const session: AgentAdapter["session"] = {
  files: [".gemini/tmp/*/chats/session-*.jsonl", ".gemini/tmp/*/chats/*/*.jsonl"],
  requests: { files: TELEMETRY, listing: listingIn, ending: endingIn },
  read(files, staged) {
    const lines = files.filter(isMain).flatMap((file) => jsonLines(file.text));
    const agents = files.filter((file) => !isFact(file) && !isMain(file));
    return {
      ...keptListing(files, staged),
      ...keptEnding(files),
      ...prompted(lines, staged),
      agents: [...searches(lines, staged), ...agents.map((file) => subAgent(file, staged)).sort(byStart)],
    };
  },
};

export function shown(request: unknown, staged: StagedSkills): ShownSkills {
  return shownIn([...strings(json(request)["systemInstruction"])].join("\n"), staged);
}

function listingIn(telemetry: string): string | undefined {
  const line = /^[ \t]*"gen_ai\.system_instructions": (".*"),?$/m.exec(telemetry)?.[1];
  return line === undefined ? undefined : skillsBlock([...strings(parsed(parsed(line)))].join("\n"));
}

function endingIn(telemetry: string): string | undefined {
  return [...telemetry.matchAll(/"finish_reasons": \[\s*"([^"]+)"\s*\],\s*"role": "main"/g)].at(-1)?.[1];
}

function parsed(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return undefined;
  }
}

function isMain({ path }: SessionFile): boolean {
  return /[\\/]chats[\\/]session-[^\\/]+$/.test(path);
}

function prompted(lines: Json[], staged: StagedSkills): Pick<SessionFacts, "heard" | "before"> {
  const prompt = lines.find((line) => line["type"] === "user");
  const heard = [...strings(prompt?.["content"])].join("");
  const before = staged
    .byText(heard)
    .map(({ id }): TrialEvent => ({ type: "activation", skill: id, turn: 1, evidence: "read" }));
  return { heard: heard || undefined, before };
}

function searches(lines: Json[], staged: StagedSkills): SubAgent[] {
  return lines
    .flatMap((line) => list(line["toolCalls"]))
    .filter((call) => reach(text(call["name"]), {}).way === "search")
    .map((call) => ({
      call: text(call["id"]),
      events: staged
        .byText([...strings(call["result"])].join("\n"))
        .map(({ id }): TrialEvent => ({ type: "activation", skill: id, turn: 1, evidence: "read" })),
    }))
    .filter(({ call }, index, all) => all.findIndex((other) => other.call === call) === index);
}

interface Started extends SubAgent {
  start: string;
}

function byStart(a: Started, b: Started): number {
  return a.start < b.start ? -1 : 1;
}

/** The file does not name the call that started the sub-agent, but begins with its task. */
function subAgent(file: SessionFile, staged: StagedSkills): Started {
  const lines = jsonLines(file.text);
  const task = lines.find((line) => line["type"] === "user");
  return {
    start: text(lines[0]?.["startTime"]),
    task: [...strings(task?.["content"])].join("") || undefined,
    events: toolEvents(lines, agentName(file.path), staged),
  };
}

function toolEvents(lines: Json[], agent: string, staged: StagedSkills): TrialEvent[] {
  const calls = new ToolCalls(staged);
  const seen = new Set<string>();
  return lines
    .flatMap((line) => list(line["toolCalls"]))
    .flatMap((call) => {
      const id = text(call["id"]);
      const done = call["status"] === "success" || call["status"] === "error";
      if (seen.has(id) || !done) return [];
      seen.add(id);
      const tool = text(call["name"]);
      const input = json(call["args"]);
      return [
        ...calls.call({ turn: 1, id, tool, input, agent, reach: reach(tool, input) }),
        ...calls.result(id, { ok: call["status"] === "success", output: [...strings(call["result"])].join("\n") }),
      ];
    });
}

function agentName(path: string): string {
  return /([^/\\]+)\.jsonl$/.exec(path)?.[1] ?? "sub-agent";
}
