import type { FleetView } from "../../fleet/index.ts";
import { type BetterExaminee, loadAgents, loadBetter, type Survey } from "../../targets/index.ts";

/** Keys of the providers that judge:, router: and model: targets use. */
const MODEL_KEYS = ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "OPENROUTER_API_KEY"];

/** What a better examinee costs is told for so many questions. */
const PRICED_QUESTIONS = 100;

export interface Diagnosis extends Survey {
  /** Who here knows more than cards and words, the cheapest first, with what 100 questions cost. */
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
  const better = await (await loadBetter()).betterExaminees({ env, survey, questions: PRICED_QUESTIONS });
  return { ...survey, better, models: MODEL_KEYS.map((name) => ({ name, present: Boolean(env[name]) })) };
}
