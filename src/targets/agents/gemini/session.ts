import type { TrialEvent } from "../../../transcripts/index.ts";
import { type AgentAdapter, json, list, type ShownSkills, text } from "../adapter.ts";
import { Calls } from "../calls.ts";
import { jsonLines, strings } from "../jsonl.ts";
import type { StagedSkills } from "../staged.ts";
import { skillCards } from "../xml-listing.ts";
import { reach } from "./read.ts";

/** What sub-agents do is not on stdout; each of them has a file of its own below the session's. */
export const session: AgentAdapter["session"] = {
  files: [".gemini/tmp/*/chats/*/*.jsonl"],
  read(files, staged) {
    return { more: files.flatMap((file) => subAgent(file.text, agentName(file.path), staged)) };
  },
};

export function shown(request: unknown, staged: StagedSkills): ShownSkills {
  const { entries, characters } = skillCards([...strings(json(request)["systemInstruction"])].join("\n"));
  return { entries, characters, listing: staged.listing((skill) => entries.find(({ name }) => name === skill.name)) };
}

function subAgent(file: string, agent: string, staged: StagedSkills): TrialEvent[] {
  const calls = new Calls(staged);
  const seen = new Set<string>();
  return jsonLines(file)
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
        ...calls.result(id, call["status"] === "success", [...strings(call["result"])].join("\n")),
      ];
    });
}

function agentName(path: string): string {
  return /([^/\\]+)\.jsonl$/.exec(path)?.[1] ?? "sub-agent";
}
