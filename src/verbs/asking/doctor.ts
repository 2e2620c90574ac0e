import type { FleetView } from "../../fleet/index.ts";
import { type BetterExaminee, loadAgents, loadBetter, loadModels, type Survey } from "../../targets/index.ts";

/** The providers that judge:, router: and model: targets use, with the variable that usually holds the key. */
const MODEL_KEYS = Object.entries({
  anthropic: "ANTHROPIC_API_KEY",
  openai: "OPENAI_API_KEY",
  google: "GEMINI_API_KEY",
  openrouter: "OPENROUTER_API_KEY",
});

/**
 * What a better examinee costs is told for a hundred questions, as often as they are asked unless somebody says
 * otherwise.
 */
const PRICED_TRIALS = 300;
const PRICED_SKILLS = 10;

export interface Diagnosis extends Survey {
  /**
   * Who here knows more than cards and words, the cheapest first, with what 100 questions about 10 skills cost, three
   * runs of each.
   */
  better: BetterExaminee[];
  /** Which keys of model providers are set; never their values. */
  models: { name: string; present: boolean }[];
}

/** `proctor doctor URL` as a function: who is at a Redis, and what they can run. */
export async function fleet({ url, env = process.env }: { url: string; env?: NodeJS.ProcessEnv }): Promise<FleetView> {
  const { lookAtFleet } = await import("../../fleet/index.ts");
  return lookAtFleet(url, env);
}

/** `proctor doctor` as a function: what this machine can run. */
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
