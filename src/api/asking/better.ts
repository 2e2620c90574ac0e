import { type BetterExaminee, loadBetter } from "../../targets/index.ts";

/** Who on this machine could be asked what the embedded target cannot tell, the cheapest first, and what that would cost. */
export async function betterExaminees({
  env = process.env,
  questions = 1,
}: {
  env?: NodeJS.ProcessEnv;
  questions?: number;
} = {}): Promise<BetterExaminee[]> {
  return (await loadBetter()).betterExaminees({ env, questions });
}
