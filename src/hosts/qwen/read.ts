import type { EventReader } from "../adapter.ts";
import type { StagedSkills } from "../reading/staged-skills.ts";
import { StreamJsonReader } from "../reading/stream-json.ts";
import { reachBy } from "../reading/tool-calls.ts";

export const cli = { id: "qwen", keys: ["OPENAI_API_KEY"] };

export function reader(staged: StagedSkills): EventReader {
  return new StreamJsonReader(staged, { cli, reach, sharedIds: false, errorWords: "[API Error: " });
}

export const reach = reachBy({
  skill: ["skill", "skill"],
  read: ["read_file", "file_path"],
  shell: ["run_shell_command", "command"],
  search: ["grep_search", "search_file_content", "read_many_files"],
});
