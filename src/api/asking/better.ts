import { type BetterExaminee, loadBetter } from "../../targets/index.ts";

export interface BetterOptions {
  env?: NodeJS.ProcessEnv;
  /** What it costs is told for so many questions, each asked so often. */
  questions?: number;
  runs?: number | undefined;
}

/** Who on this machine could be asked what the embedded target cannot tell, the cheapest first, and what that would cost. */
export async function betterExaminees({
  env = process.env,
  questions = 1,
  runs = USUAL_RUNS,
}: BetterOptions = {}): Promise<BetterExaminee[]> {
  return (await loadBetter()).betterExaminees({ env, trials: questions * runs });
}

/** Of a trigger, where nobody says otherwise. */
const USUAL_RUNS = 3;
