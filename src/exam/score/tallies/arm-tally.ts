import type { TrialLine } from "../../../model/index.ts";
import { countedActivations } from "../../../model/index.ts";

/** Sums over a case's trials, with its skill or without, and their counts. */
export interface ArmTally {
  trials: number;
  ms: number;
  usd: number;
  priced: number;
  loaded: number;
}

export function startArm(): ArmTally {
  return { trials: 0, ms: 0, usd: 0, priced: 0, loaded: 0 };
}

/** Counts a measured trial. A cached one counts with its original time and cost. */
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
