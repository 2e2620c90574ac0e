import type { FleetView } from "../../fleet/index.ts";
import { type BetterExaminee, loadAgents, loadBetter, loadModels, type Survey } from "../../targets/index.ts";

const MODEL_KEYS = Object.entries({
  anthropic: "ANTHROPIC_API_KEY",
  openai: "OPENAI_API_KEY",
  google: "GEMINI_API_KEY",
  openrouter: "OPENROUTER_API_KEY",
});

/** Prices are given for 100 questions with three runs each, the default number of runs of a trigger. */
const PRICED_TRIALS = 300;
const PRICED_SKILLS = 10;

export interface Diagnosis extends Survey {
  /**
   * Targets on this machine that know more than the embedded one, cheapest first, priced for 100 questions about 10
   * skills with three runs each.
   */
  better: BetterExaminee[];
  /** Which API keys are set. Values are never returned. */
  models: { name: string; present: boolean }[];
}

export async function fleet({ url, env = process.env }: { url: string; env?: NodeJS.ProcessEnv }): Promise<FleetView> {
  const { lookAtFleet } = await import("../../fleet/index.ts");
  return lookAtFleet(url, env);
}

export async function doctor({ env = process.env }: { env?: NodeJS.ProcessEnv } = {}): Promise<Diagnosis> {
  const { surveyAgents } = await loadAgents();
  const survey = await surveyAgents(env);
  const better = await (await loadBetter()).betterExaminees({
    env,
    survey,
    trials: PRICED_TRIALS,
    skills: PRICED_SKILLS,
  });
  const { keyVariable } = await loadModels();
  const models = MODEL_KEYS.map(([provider, usual]) => {
    const name = keyVariable(provider, env);
    return { name: name ?? usual, present: name !== undefined };
  });
  return { ...survey, better, models };
}
