import type { TrialEvent } from "../../model/index.ts";
import type { AgentAdapter, ShownSkills, SubAgent } from "../adapter.ts";
import { apiError } from "../reading/errors.ts";
import { type Json, json, jsonLine, jsonLines, list, strings, text } from "../reading/json.ts";
import { FAILURE, keptEnding } from "../reading/request-facts.ts";
import type { StagedSkills } from "../reading/staged-skills.ts";
import { ToolCalls } from "../reading/tool-calls.ts";
import { keptListing, shownIn, skillsBlock } from "../reading/xml-listing.ts";
import { REQUESTS } from "./launch.ts";
import { cli, reach } from "./read.ts";

/**
 * Sub-agents are not on stdout; each has its own file. The session file has the skill that replaced a prompt such as
 * `/pdf`.
 */
export const session: AgentAdapter["session"] = {
  files: [".qwen/projects/*/chats/*.jsonl", ".qwen/projects/*/subagents/**/*.jsonl"],
  requests: { files: `${REQUESTS}/*.json`, listing: listingIn, failure: failureIn, ending: endingIn },
  read(files, staged) {
    const failure = files.find(({ path }) => path === FAILURE);
    const agents = files.filter(({ path }) => /(^|[\\/])subagents[\\/]/.test(path));
    const chats = files.filter(({ path }) => /(^|[\\/])chats[\\/]/.test(path));
    const lines = chats.flatMap((file) => jsonLines(file.text));
    const before = [...invoked(lines, staged), ...inlined(lines, staged)];
    const heard = [...strings(json(lines.find((line) => line["type"] === "user")?.["message"])["parts"])].join("");
    const told = agents.map((file) =>
      subAgent(file.text, /([^/\\]+)\.jsonl$/.exec(file.path)?.[1] ?? "sub-agent", staged),
    );
    return {
      ...keptListing(files, staged),
      ...keptEnding(files),
      error: failure && apiError(cli, undefined, failure.text),
      before,
      heard: before.length === 0 ? heard || undefined : undefined,
      agents: [...searches(lines, staged), ...told],
    };
  },
};

export function shown(request: unknown, staged: StagedSkills): ShownSkills {
  return shownIn(prompts(request), staged);
}

function listingIn(file: string): string | undefined {
  const request = json(jsonLine(file)?.["request"]);
  return list(request["tools"]).length === 0 ? undefined : skillsBlock(prompts(request));
}

function failureIn(file: string): string | undefined {
  return text(json(jsonLine(file)?.["error"])["message"]) || undefined;
}

/** Sub-agents' requests have a third part in their prompt id; side requests have no tools. */
function endingIn(file: string): string | undefined {
  const { request, response, context } = jsonLine(file) ?? {};
  if (/#[^#\d]/.test(text(json(context)["promptId"])) || list(json(request)["tools"]).length === 0) return undefined;
  return text(list(json(response)["choices"])[0]?.["finish_reason"]) || undefined;
}

function prompts(request: unknown): string {
  return [...strings(json(request)["messages"])].join("\n");
}

function invoked(lines: Json[], staged: StagedSkills): TrialEvent[] {
  const prompt = lines.find((line) => line["type"] === "user");
  const [words = ""] = strings(json(prompt?.["message"])["parts"]);
  const folder = /^Base directory for this skill: (.+)/.exec(words)?.[1];
  const skill = folder === undefined ? undefined : staged.byDir(folder.trim());
  return skill === undefined ? [] : [{ type: "activation", skill: skill.id, turn: 1, evidence: "loaded" }];
}

function inlined(lines: Json[], staged: StagedSkills): TrialEvent[] {
  const files = lines
    .filter((line) => line["type"] === "system" && line["subtype"] === "at_command")
    .flatMap((line) => json(line["systemPayload"])["filesRead"])
    .flatMap((file) => staged.byFile(file) ?? []);
  return files.map(({ id }) => ({ type: "activation", skill: id, turn: 1, evidence: "read" }));
}

function searches(lines: Json[], staged: StagedSkills): SubAgent[] {
  return lines
    .flatMap((line) => list(json(line["message"])["parts"]))
    .map((part) => json(part["functionResponse"]))
    .filter((response) => reach(text(response["name"]), {}).way === "search")
    .map((response) => ({
      call: String(response["id"]),
      events: staged
        .byText([...strings(response["response"])].join("\n"))
        .map(({ id }): TrialEvent => ({ type: "activation", skill: id, turn: 1, evidence: "read" })),
    }));
}

/** A sub-agent's id ends with the id of the call that started it. */
function callOf(lines: Json[]): string | undefined {
  const [first] = lines;
  const [id, kind] = [text(first?.["agentId"]), text(first?.["agentName"])];
  return kind !== "" && id.startsWith(`${kind}-`) ? id.slice(kind.length + 1) : undefined;
}

function taskOf(lines: Json[]): string | undefined {
  const first = lines.find((line) => line["type"] === "user");
  return [...strings(json(first?.["message"])["parts"])].join("") || undefined;
}

function subAgent(file: string, agent: string, staged: StagedSkills): SubAgent {
  const calls = new ToolCalls(staged);
  const lines = jsonLines(file);
  const events = lines
    .flatMap((line) => list(json(line["message"])["parts"]))
    .flatMap((part): TrialEvent[] => {
      const call = json(part["functionCall"]);
      const response = json(part["functionResponse"]);
      if (typeof call["name"] === "string") {
        const input = json(call["args"]);
        return calls.call({
          turn: 1,
          id: String(call["id"]),
          tool: call["name"],
          input,
          agent,
          reach: reach(call["name"], input),
        });
      }
      if (typeof response["name"] !== "string") return [];
      const answer = json(response["response"]);
      return calls.result(String(response["id"]), {
        ok: answer["error"] === undefined,
        output: [...strings(answer)].join("\n"),
      });
    });
  return { call: callOf(lines), task: taskOf(lines), events: [...events, ...calls.end()] };
}
