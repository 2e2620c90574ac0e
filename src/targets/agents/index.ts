/** Real agent CLIs as examinees: one adapter a folder, one process runner. */
import type { Target } from "../target.ts";
import { adapterOf } from "./adapters.ts";
import { type AgentSettings, agentTarget } from "./target.ts";

/** `claude:haiku` and its like. */
export async function openAgent(id: string, model: string, settings: AgentSettings): Promise<Target> {
  return agentTarget(adapterOf(id), model, settings);
}
