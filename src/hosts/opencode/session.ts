import type { AgentAdapter, SessionFile, ShownSkills, SubAgent } from "../adapter.ts";
import { json, jsonLine, list, strings, text } from "../reading/json.ts";
import { isFact } from "../reading/request-facts.ts";
import type { StagedSkills } from "../reading/staged-skills.ts";
import { ToolCalls } from "../reading/tool-calls.ts";
import { keptListing, shownIn, skillsBlock } from "../reading/xml-listing.ts";
import { SYSTEM } from "./plugin.ts";
import { toolEvents } from "./read.ts";

/** Sub-agents are sessions of their own, kept in a database; the CLI exports one as JSON. */
export const session: AgentAdapter["session"] = {
  files: [],
  requests: { files: SYSTEM, listing: skillsBlock },
  command(event) {
    const part = json(event["part"]);
    const id = text(json(json(part["state"])["metadata"])["sessionId"]);
    return part["tool"] === "task" && id !== "" ? ["export", id] : undefined;
  },
  read(files, staged) {
    // One that was called again is exported again.
    const agents = files.filter((file, index) => !isFact(file) && files.findIndex(({ path }) => path === file.path) === index);
    return { ...keptListing(files, staged), agents: agents.map((file) => subAgent(file, staged)) };
  },
};

export function shown(request: unknown, staged: StagedSkills): ShownSkills {
  return shownIn([...strings(json(request)["messages"])].join("\n"), staged);
}

function subAgent({ path, text: exported }: SessionFile, staged: StagedSkills): SubAgent {
  const calls = new ToolCalls(staged);
  const session = jsonLine(exported.slice(Math.max(0, exported.indexOf("{")))) ?? {};
  const messages = list(session["messages"]).map((message) => ({ role: json(message["info"])["role"], parts: list(message["parts"]) }));
  const id = path.split(" ").at(-1);
  return {
    task: text(messages.find(({ role }) => role === "user")?.parts.find((part) => part["type"] === "text")?.["text"]) || undefined,
    events: messages.flatMap(({ parts }) =>
      parts.filter((part) => part["type"] === "tool").flatMap((part) => toolEvents(calls, part, 1, id)),
    ),
  };
}
