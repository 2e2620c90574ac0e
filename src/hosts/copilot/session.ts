import type { Usage } from "../../model/index.ts";
import type { AgentAdapter, ShownSkills } from "../adapter.ts";
import { type Json, json, jsonLines, list, number, strings, text } from "../reading/json.ts";
import { spoiltBy } from "../reading/request-facts.ts";
import type { StagedSkills } from "../reading/staged-skills.ts";
import { skillCards, skillsBlock } from "../reading/xml-listing.ts";

export const session: AgentAdapter["session"] = {
  files: [".copilot/session-state/*/events.jsonl"],
  read(files, staged) {
    const lines = files.flatMap((file) => jsonLines(file.text));
    const system = lines.find((line) => line["type"] === "system.message");
    const records = lines
      .filter((line) => line["type"] === "session.usage_record")
      .map((line) => json(json(line["data"])["usage"]));
    const usage = total(records);
    const spoilt = spoiltBy(
      text(records.findLast((record) => record["interactionType"] === "conversation-agent")?.["finishReason"]),
    );
    const heard = text(json(lines.find((line) => line["type"] === "user.message")?.["data"])["content"]);
    return {
      heard,
      spoilt,
      listing: system && fromPrompt(text(json(system["data"])["content"]), staged).listing,
      usage,
    };
  },
};

export function shown(request: unknown, staged: StagedSkills): ShownSkills {
  const system = list(json(request)["messages"]).find((message) => message["role"] === "system");
  const prompt = [...strings(system?.["content"])].join("\n");
  // Older versions have it in the description of their skill tool.
  return fromPrompt(skillsBlock(prompt) === "" ? [...strings(json(request)["tools"])].join("\n") : prompt, staged);
}

/** Over budget, the rest is listed as "Additional skills available (invoke by name): a, b". */
function fromPrompt(prompt: string, staged: StagedSkills): ShownSkills {
  const { entries, characters } = skillCards(prompt);
  const rest = /Additional skills available[^:]*: *([^\n<]+)/.exec(prompt);
  const bare = (rest?.[1] ?? "").split(",").map((name) => ({ name: name.trim().replace(/\.$/, ""), text: undefined }));
  const all = [...entries, ...bare.filter(({ name }) => name !== "")];
  return {
    entries: all,
    listing: staged.listed(all),
    characters: characters + (rest?.[0].length ?? 0),
  };
}

function total(records: Json[]): Usage | undefined {
  if (records.length === 0) return undefined;
  const sum = (name: string) => records.reduce((all, record) => all + (number(record[name]) ?? 0), 0);
  return {
    inputTokens: sum("inputTokens"),
    outputTokens: sum("outputTokens"),
    cacheReadTokens: sum("cacheReadTokens"),
    cacheWriteTokens: sum("cacheWriteTokens"),
  };
}
