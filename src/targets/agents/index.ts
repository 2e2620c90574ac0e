/** Real agent CLIs as examinees: one adapter a folder, one process runner. */
import type { Target } from "../target.ts";
import { adapterOf } from "../../hosts/load-adapter.ts";
import { type AgentSettings, agentTarget } from "./target.ts";

export { openDefinedAgent } from "./own-agent/open-agent.ts";
export { type Reread, rereadTrial } from "./trial/reread.ts";
export { seeSkills } from "./see/see-skills.ts";
export type { Seen, SeenEntry } from "./see/shown-library.ts";
export { type Survey, type SurveyedAgent, surveyAgents } from "./survey.ts";

/** `claude:haiku` and its like. */
export async function openAgent(id: string, model: string, settings: AgentSettings): Promise<Target> {
  return agentTarget(adapterOf(id), model, settings);
}
