import { type BetterExaminee, loadBetter } from "../../targets/index.ts";

export interface BetterOptions {
  env?: NodeJS.ProcessEnv;
  /** What it costs is told for so many questions, each asked so often. */
  questions?: number;
  runs?: number | undefined;
  /** A router is shown so many with every question. */
  skills?: number;
}

/**
 * Who on this machine could be asked what the embedded target cannot tell, the cheapest first, and what that would
 * cost.
 */
export async function betterExaminees(options: BetterOptions = {}): Promise<BetterExaminee[]> {
  const { env = process.env, questions = 1, runs = USUAL_RUNS, skills = 1 } = options;
  return (await loadBetter()).betterExaminees({ env, trials: questions * runs, skills });
}

/** Of a trigger, where nobody says otherwise. */
const USUAL_RUNS = 3;
