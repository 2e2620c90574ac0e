import { didYouMean, UsageError } from "../../base/index.ts";
import type { ExamOptions } from "../../base/options/index.ts";
import { cleared, parseGate } from "../score/index.ts";

/** Refuses gates on targets or skills that are not part of this run: they could never be met. */
export function checkGates(gates: readonly string[], targets: readonly string[], skills: readonly string[]): void {
  for (const { text, skill, target } of gates.map(parseGate)) {
    if (skill !== undefined && !skills.includes(skill))
      throw unknown({ gate: text, what: "skill", name: skill, names: skills, where: "not in the library" });
    if (target !== undefined && !targets.includes(target))
      throw unknown({ gate: text, what: "target", name: target, names: targets, where: "not asked here" });
  }
}

/** Refuses gates whose targets only predict: predictions decide nothing, so such a gate would seem to hold. */
export function refuseOnPredictions(
  gates: readonly string[],
  targets: readonly { id: string; predicted: boolean }[],
  allowPredicted: boolean,
): void {
  if (allowPredicted) return;
  for (const { text, target } of gates.map(parseGate)) {
    const held = targets.filter(({ id }) => target === undefined || target === id);
    if (held.length === 0 || !held.every(({ predicted }) => predicted)) continue;
    throw decidesNothing(`The gate "${text}"`, held);
  }
}

export function refuseLockOnPredictions(
  targets: readonly { id: string; predicted: boolean }[],
  allowPredicted: boolean,
): void {
  if (!allowPredicted && targets.every(({ predicted }) => predicted)) throw decidesNothing("--lock", targets);
}

function decidesNothing(what: string, targets: readonly { id: string }[]): UsageError {
  const who = targets.map(({ id }) => id).join(", ");
  return new UsageError(
    `${what} would decide nothing: ${who} only ${targets.length === 1 ? "predicts" : "predict"}.`,
    "Use it with a target that measures (proctor doctor lists those that are here), or add --allow-predicted (allow_predicted: true in a configuration) to let predictions decide.",
  );
}

interface UnknownName {
  gate: string;
  what: string;
  name: string;
  names: readonly string[];
  where: string;
}

function unknown({ gate, what, name, names, where }: UnknownName): UsageError {
  const known = [...new Set(names)];
  const few = known.length <= 12 ? `Known: ${known.join(", ")}.` : `There are ${known.length}.`;
  return new UsageError(
    `The gate "${gate}" names the ${what} "${name}", which is ${where}.`,
    didYouMean(name, known, few),
  );
}

const MOST = 100_000;

/** Refuses a confidence that not even a perfect skill could reach within --max-runs. */
export function checkConfidence({ confidence, maxRuns, threshold, negativeThreshold }: ExamOptions): void {
  if (confidence === undefined) return;
  const alpha = 1 - confidence;
  const positive = runsToClear((runs) => cleared(runs, runs, { threshold, alpha }) === "above");
  const negative = runsToClear((runs) => cleared(0, runs, { threshold: negativeThreshold, alpha }) === "below");
  refuse("--threshold", threshold, { runs: positive, perfect: "fires every time" });
  refuse("--negative-threshold", negativeThreshold, { runs: negative, perfect: "never fires" });

  function refuse(flag: string, value: number, { runs, perfect }: { runs: number | undefined; perfect: string }): void {
    if (runs !== undefined && runs <= maxRuns) return;
    throw new UsageError(
      `--confidence ${confidence} with ${flag} ${value} cannot be reached in ${maxRuns} runs, not even by a skill that ${perfect}.`,
      runs === undefined
        ? `Choose a ${flag} that leaves room on both sides.`
        : `It takes ${runs}: --max-runs ${runs}, or a lower --confidence.`,
    );
  }
}

// Doubles, then bisects: what is clear after some runs stays clear after more.
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
