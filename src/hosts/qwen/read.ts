import type { EventReader } from "../adapter.ts";
import type { Json } from "../reading/json.ts";
import type { StagedSkills } from "../reading/staged-skills.ts";
import { StreamJsonReader } from "../reading/stream-json.ts";
import type { Reach } from "../reading/tool-calls.ts";

export const cli = { id: "qwen", keys: ["OPENAI_API_KEY"] };

/** Reads `-o stream-json`, with tool names of its own. */
export function reader(staged: StagedSkills): EventReader {
  return new StreamJsonReader(staged, { cli, reach, sharedIds: false, errorWords: "[API Error: " });
}

export function reach(tool: string, input: Json): Reach {
  switch (tool) {
    case "skill":
      return { way: "tool", name: input["skill"] };
    case "read_file":
      return { way: "file", path: input["file_path"] };
    case "grep_search":
    case "search_file_content":
    case "read_many_files":
      return { way: "search" };
    case "run_shell_command":
      return { way: "shell", command: input["command"] };
    default:
      return { way: "none" };
  }
}
