import type { TrialEvent } from "../../../transcripts/index.ts";
import { type AgentAdapter, json, list, type ShownSkills } from "../adapter.ts";
import { Calls } from "../calls.ts";
import { jsonLines, strings } from "../jsonl.ts";
import type { StagedSkills } from "../staged.ts";
import { skillCards } from "../xml-listing.ts";
import { reach } from "./read.ts";

/** What sub-agents do is not on stdout; each of them has a file of its own. */
export const session: AgentAdapter["session"] = {
  files: [".qwen/projects/*/subagents/**/*.jsonl"],
  read(files, staged) {
    return { more: files.flatMap((file) => subAgent(file.text, /([^/\\]+)\.jsonl$/.exec(file.path)?.[1] ?? "sub-agent", staged)) };
  },
};

export function shown(request: unknown, staged: StagedSkills): ShownSkills {
  const { entries, characters } = skillCards([...strings(json(request)["messages"])].join("\n"));
  return { entries, characters, listing: staged.listing((skill) => entries.find(({ name }) => name === skill.name)) };
}

function subAgent(file: string, agent: string, staged: StagedSkills): TrialEvent[] {
  const calls = new Calls(staged);
  const events = jsonLines(file)
    .flatMap((line) => list(json(line["message"])["parts"]))
    .flatMap((part): TrialEvent[] => {
      const call = json(part["functionCall"]);
      const response = json(part["functionResponse"]);
      if (typeof call["name"] === "string") {
        const input = json(call["args"]);
        return calls.call({ turn: 1, id: String(call["id"]), tool: call["name"], input, agent, reach: reach(call["name"], input) });
      }
      if (typeof response["name"] !== "string") return [];
      const answer = json(response["response"]);
      return calls.result(String(response["id"]), answer["error"] === undefined, [...strings(answer)].join("\n"));
    });
  return [...events, ...calls.end()];
}
