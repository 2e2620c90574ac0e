import { type BetterExaminee, loadBetter } from "../../targets/index.ts";

export interface BetterOptions {
  env?: NodeJS.ProcessEnv;
  /** Number of questions that costs are estimated for. Default: 1. */
  questions?: number;
  runs?: number | undefined;
  /** Number of skills that a router is shown with every question. Default: 1. */
  skills?: number;
}

export async function betterExaminees(options: BetterOptions = {}): Promise<BetterExaminee[]> {
  const { env = process.env, questions = 1, runs = USUAL_RUNS, skills = 1 } = options;
  return (await loadBetter()).betterExaminees({ env, trials: questions * runs, skills });
}
const USUAL_RUNS = 3;
