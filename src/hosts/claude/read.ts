import type { EventReader } from "../adapter.ts";
import type { Json } from "../reading/json.ts";
import type { StagedSkills } from "../reading/staged-skills.ts";
import { StreamJsonReader } from "../reading/stream-json.ts";
import type { Reach } from "../reading/tool-calls.ts";

export const cli = { id: "claude", keys: ["ANTHROPIC_API_KEY", "CLAUDE_CODE_OAUTH_TOKEN"], login: true };

/** Reads `--output-format stream-json`. */
export function reader(staged: StagedSkills): EventReader {
  return new StreamJsonReader(staged, { cli, reach, sharedIds: true });
}

export function reach(tool: string, input: Json): Reach {
  switch (tool) {
    case "Skill":
      return { way: "tool", name: input["skill"] };
    case "Read":
      return { way: "file", path: input["file_path"] };
    case "Grep":
      return { way: "search" };
    case "Bash":
      return { way: "shell", command: input["command"] };
    default:
      return { way: "none" };
  }
}
