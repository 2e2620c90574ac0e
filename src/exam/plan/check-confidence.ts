import { UsageError } from "../../base/index.ts";
import type { ExamOptions } from "../../base/options/index.ts";
import { cleared } from "../score/index.ts";

const MOST = 100_000;

/** A certainty that not even a perfect skill could reach within --max-runs is refused, with the number of runs that could. */
export function checkConfidence({ confidence, maxRuns, threshold, negativeThreshold }: ExamOptions): void {
  if (confidence === undefined) return;
  const alpha = 1 - confidence;
  const positive = runsToClear((runs) => cleared(runs, runs, threshold, alpha) === "above");
  const negative = runsToClear((runs) => cleared(0, runs, negativeThreshold, alpha) === "below");
  refuse("--threshold", threshold, positive, "fires every time");
  refuse("--negative-threshold", negativeThreshold, negative, "never fires");

  function refuse(flag: string, value: number, runs: number | undefined, perfect: string): void {
    if (runs !== undefined && runs <= maxRuns) return;
    throw new UsageError(
      `--confidence ${confidence} with ${flag} ${value} cannot be reached in ${maxRuns} runs, not even by a skill that ${perfect}.`,
      runs === undefined
        ? `Choose a ${flag} that leaves room on both sides.`
        : `It takes ${runs}: --max-runs ${runs}, or a lower --confidence.`,
    );
  }
}

/** By doubling, then by halving: what is clear after some runs is clearer after more. */
function runsToClear(clears: (runs: number) => boolean): number | undefined {
  let enough = 1;
  while (!clears(enough)) {
    enough *= 2;
    if (enough > MOST) return undefined;
  }
  let few = Math.floor(enough / 2);
  while (enough - few > 1) {
    const middle = Math.floor((few + enough) / 2);
    if (clears(middle)) enough = middle;
    else few = middle;
  }
  return enough;
}
