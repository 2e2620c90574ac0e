import { UsageError } from "../problems/usage-error.ts";

/**
 * Options of earlier versions, with why each was removed and what to use instead. Flag, configuration key and variable
 * follow from the name; all are refused with that sentence.
 */
export const removedOptions: Record<string, string> = {
  unsure:
    "it found fewer real failures than asking at random. Name a target with -t to ask all questions, or use --failed.",
  escalate:
    "predictions do not tell which questions fail. Leave it out; --budget and --max-trials limit what is asked.",
  calibrate:
    "a prediction stays a guess, whatever it is fitted to. Ask the agent itself, with -t claude:haiku for example.",
};

export function refuseRemovedFlag(flag: string): void {
  refuse(flag, (name) => `--${spelt(name, "-")}`);
}

export function refuseRemovedVariable(variable: string): void {
  refuse(variable, (name) => `PROCTOR_${spelt(name, "_").toUpperCase()}`);
}

export function refuseRemovedKey(key: string, place: string): void {
  refuse(key, (name) => spelt(name, "_"), `${place}: `);
}

function refuse(given: string, spelling: (name: string) => string, place = ""): void {
  const found = Object.entries(removedOptions).find(([name]) => spelling(name) === given);
  if (found !== undefined) throw new UsageError(`${place}${given} is gone: ${found[1]}`);
}

function spelt(name: string, separator: string): string {
  return name.replace(/[A-Z]/g, (letter) => `${separator}${letter.toLowerCase()}`);
}
