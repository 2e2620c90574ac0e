import type { EventReader } from "../adapter.ts";
import type { StagedSkills } from "../reading/staged-skills.ts";
import { StreamJsonReader } from "../reading/stream-json.ts";
import { reachBy } from "../reading/tool-calls.ts";

export const cli = { id: "claude", keys: ["ANTHROPIC_API_KEY", "CLAUDE_CODE_OAUTH_TOKEN"], login: true };

export function reader(staged: StagedSkills): EventReader {
  return new StreamJsonReader(staged, { cli, reach, sharedIds: true });
}

export const reach = reachBy({
  skill: ["Skill", "skill"],
  read: ["Read", "file_path"],
  shell: ["Bash", "command"],
  search: ["Grep"],
});
