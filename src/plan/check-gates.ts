import { didYouMean, UsageError } from "../base/index.ts";
import { parseGate } from "../scores/index.ts";

/** A gate that names nobody of this run can never be met: said before anything is asked. */
export function checkGates(gates: readonly string[], targets: readonly string[], skills: readonly string[]): void {
  for (const { text, skill, target } of gates.map(parseGate)) {
    if (skill !== undefined && !skills.includes(skill)) throw unknown(text, "skill", skill, skills, "not in the library");
    if (target !== undefined && !targets.includes(target)) throw unknown(text, "target", target, targets, "not asked here");
  }
}

function unknown(gate: string, what: string, name: string, names: readonly string[], where: string): UsageError {
  const known = [...new Set(names)];
  const few = known.length <= 12 ? `Known: ${known.join(", ")}.` : `There are ${known.length}.`;
  return new UsageError(`The gate "${gate}" names the ${what} "${name}", which is ${where}.`, didYouMean(name, known, few));
}
