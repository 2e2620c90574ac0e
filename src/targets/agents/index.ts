/** Real agent CLIs as examinees: one adapter a folder, one process runner. */
import { resolve } from "node:path";
import { UsageError } from "../../base/index.ts";
import type { Target } from "../target.ts";
import type { AgentAdapter } from "./adapter.ts";
import { adapterOf } from "./adapters.ts";
import { type AgentSettings, agentTarget } from "./target.ts";

export { type Reread, rereadTrial } from "./reread.ts";
export { type Seen, type SeenEntry, seeSkills } from "./see.ts";
export { type Survey, type SurveyedAgent, surveyAgents } from "./survey.ts";

/** `claude:haiku` and its like. */
export async function openAgent(id: string, model: string, settings: AgentSettings): Promise<Target> {
  return agentTarget(adapterOf(id), model, settings);
}

/** `agent:FILE`: an agent that a file defines with `defineAgent`. */
export async function openDefinedAgent(file: string, cwd: string, settings: AgentSettings): Promise<Target> {
  const path = resolve(cwd, file);
  const { createJiti } = await import("jiti");
  const module = await createJiti(import.meta.url)
    .import<Record<string, unknown>>(path)
    .catch((error: unknown) => {
      throw new UsageError(`The agent in ${file} cannot be loaded: ${error instanceof Error ? error.message : String(error)}`);
    });
  const adapter = [module["default"], ...Object.values(module)].find(isAdapter);
  if (adapter === undefined) throw new UsageError(`${file} exports no agent.`, "Export one: export default defineAgent({ … })");
  return { ...(await agentTarget(adapter, "", settings)), id: `agent:${file}` };
}

function isAdapter(value: unknown): value is AgentAdapter {
  return typeof value === "object" && value !== null && "launch" in value && "reader" in value;
}
