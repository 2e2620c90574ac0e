import { loadAdapter } from "../../hosts/index.ts";
/**
 * Real agent CLIs as examinees: what all have in common, by job: process/, workspace/, trial/, see/ and own-agent/.
 * How each one is driven and read is in its folder of hosts/.
 */
import type { Target } from "../target.ts";
import type { AgentSettings } from "./cell.ts";
import { agentTarget } from "./target.ts";

export { type Survey, type SurveyedAgent, surveyAgents } from "./installed-agents.ts";
export { openDefinedAgent } from "./own-agent/open-agent.ts";
export { type ProgramSetting, rebuildWorkspace } from "./programs.ts";
export { seeSkills } from "./see/see-skills.ts";
export type { Seen, SeenEntry } from "./see/shown-library.ts";
export { type Reread, rereadTrial } from "./trial/reread.ts";
export { readContext } from "./workspace/project-context.ts";
export { privateFolder } from "./workspace/workspace.ts";

export async function openAgent(id: string, model: string, settings: AgentSettings): Promise<Target> {
  return agentTarget(await loadAdapter(id), model, settings);
}
