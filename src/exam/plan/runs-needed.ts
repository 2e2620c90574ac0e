import { canVerdictChange, cleared, earliestClear, type Standing } from "../score/index.ts";

/** When a question has been asked often enough. */
export interface StopRule {
  earlyStop: boolean;
  /** Instead of a fixed number of runs: sample until the question's confidence sequence at this level clears its threshold. */
  confidence?: number;
}

/**
 * How many further runs of an ask are certainly needed, whatever they bring; 0 when no question on it can change any more.
 * They may go in parallel: none of them will turn out to have been superfluous. `done` is how many of the first so many runs have been made:
 * a question counts the runs it plans itself, and no others.
 */
export function runsNeeded(standings: readonly Standing[], done: (planned: number) => number, rule: StopRule): number {
  let needed = 0;
  for (const standing of standings) {
    const remaining = standing.planned - done(standing.planned);
    if (remaining > needed) needed = Math.max(needed, Math.min(remaining, neededBy(standing, remaining, rule)));
  }
  return needed;
}

function neededBy(standing: Standing, remaining: number, { earlyStop, confidence }: StopRule): number {
  if (confidence !== undefined) return untilCleared(standing, remaining, 1 - confidence);
  if (!earlyStop) return remaining;
  const half = Math.ceil(standing.planned / 2);
  if (standing.measured < half) return half - standing.measured;
  return untilDecided(standing, remaining);
}

/** The least number of runs after which the verdict could be settled, if they all went one way. */
function untilDecided({ hits, measured, planned, threshold }: Standing, remaining: number): number {
  if (!canVerdictChange({ hits, measured, remaining, planned, threshold })) return 0;
  for (let runs = 1; runs < remaining; runs++) {
    const after = { measured: measured + runs, remaining: remaining - runs, planned, threshold };
    if (!canVerdictChange({ ...after, hits }) || !canVerdictChange({ ...after, hits: hits + runs })) return runs;
  }
  return remaining;
}

function untilCleared({ hits, measured, threshold }: Standing, remaining: number, alpha: number): number {
  if (cleared(hits, measured, threshold, alpha) !== null) return 0;
  const least = earliestClear(threshold, alpha) - measured;
  if (least > 1) return least;
  for (let runs = 1; runs < remaining; runs++) {
    const settled =
      cleared(hits, measured + runs, threshold, alpha) ?? cleared(hits + runs, measured + runs, threshold, alpha);
    if (settled !== null) return runs;
  }
  return remaining;
}
