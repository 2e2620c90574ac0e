import type { TrialLine } from "../../../model/index.ts";
import { countedActivations } from "../../../model/index.ts";

/** What a case's trials took, with its skill or without: sums, and how many they are of. */
export interface ArmTally {
  trials: number;
  ms: number;
  usd: number;
  /** Trials whose cost is known. */
  priced: number;
  /** Trials in which the skill under test was loaded. */
  loaded: number;
}

export function startArm(): ArmTally {
  return { trials: 0, ms: 0, usd: 0, priced: 0, loaded: 0 };
}

/** Counts a measured trial; one from the cache took what it took when it was asked. */
export function addToArm(arm: ArmTally, trial: TrialLine, skill: string | undefined): void {
  arm.trials++;
  arm.ms += trial.cached?.savedMs ?? trial.ms;
  const usd = trial.cached === undefined ? trial.costUsd : trial.cached.savedUsd;
  if (usd !== undefined) {
    arm.usd += usd;
    arm.priced++;
  }
  if (countedActivations(trial.activations).some((activation) => activation.skill === skill)) arm.loaded++;
}
