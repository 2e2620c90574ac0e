import { addUsage, type Usage } from "../../model/index.ts";
import type { AgentAdapter, SessionFile, ShownSkills, SubAgent } from "../adapter.ts";
import { type Json, json, jsonLine, list, number, strings, text } from "../reading/json.ts";
import { isFact } from "../reading/request-facts.ts";
import type { StagedSkills } from "../reading/staged-skills.ts";
import { ToolCalls } from "../reading/tool-calls.ts";
import { keptListing, shownIn, skillsBlock } from "../reading/xml-listing.ts";
import { SYSTEM } from "./launch.ts";
import { toolEvents, usageOf } from "./read.ts";

/** Sub-agents are sessions of their own in a database; the CLI exports one as JSON. */
export const session: AgentAdapter["session"] = {
  files: [],
  requests: { files: SYSTEM, listing: skillsBlock },
  command(event) {
    const part = json(event["part"]);
    const id = text(json(json(part["state"])["metadata"])["sessionId"]);
    return part["tool"] === "task" && id !== "" ? ["export", id] : undefined;
  },
  read(files, staged) {
    // A sub-agent that was called again is exported again.
    const agents = files.filter(
      (file, index) => !isFact(file) && files.findIndex(({ path }) => path === file.path) === index,
    );
    const answers = agents.flatMap((file) => messagesIn(file)).map(({ info }) => info);
    return {
      ...keptListing(files, staged),
      agents: agents.map((file) => subAgent(file, staged)),
      agentsUsage: answers.map((info) => usageOf(json(info["tokens"]))).reduce<Usage | undefined>(addUsage, undefined),
      agentsCostUsd: answers.reduce((sum, info) => sum + (number(info["cost"]) ?? 0), 0),
    };
  },
};

export function shown(request: unknown, staged: StagedSkills): ShownSkills {
  return shownIn([...strings(json(request)["messages"])].join("\n"), staged);
}

function subAgent(file: SessionFile, staged: StagedSkills): SubAgent {
  const calls = new ToolCalls(staged);
  const messages = messagesIn(file);
  const id = file.path.split(" ").at(-1);
  return {
    task:
      text(
        messages.find(({ info }) => info["role"] === "user")?.parts.find((part) => part["type"] === "text")?.["text"],
      ) || undefined,
    events: messages.flatMap(({ parts }) =>
      parts
        .filter((part) => part["type"] === "tool")
        .flatMap((part) => toolEvents(calls, part, { turn: 1, agent: id })),
    ),
  };
}

function messagesIn({ text: exported }: SessionFile): { info: Json; parts: Json[] }[] {
  const session = jsonLine(exported.slice(Math.max(0, exported.indexOf("{")))) ?? {};
  return list(session["messages"]).map((message) => ({ info: json(message["info"]), parts: list(message["parts"]) }));
}
