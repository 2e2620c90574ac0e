import { shown } from "./kinds.ts";
import { type RunSettings, withNamedAgentOptions } from "./resolve.ts";
import { flagValue, longFlag, type Option, runOptions } from "./table.ts";

export function flagWords(settings: RunSettings): string[] {
  return flagsFor(settings).flat();
}

export function flagTexts(settings: RunSettings): string[] {
  return flagsFor(settings).map((words) => words.join(" "));
}

/**
 * Flags that a command must repeat to mean the same exam. Omits paths and targets, which the record has anyway, and
 * options about cost or how the run ends.
 */
export function repeatedFlags(settings: RunSettings): string[] {
  return flagsFor(settings, ({ repeated }) => repeated === true).flat();
}

function flagsFor(given: RunSettings, isWanted: (option: Option) => boolean = () => true): string[][] {
  const settings = withNamedAgentOptions(given) as Record<string, unknown>;
  return runOptions
    .filter((option) => isWanted(option) && (option.onlyWith === undefined || settings[option.onlyWith] !== undefined))
    .flatMap((option) => flagFor(option, settings[option.name]));
}

function flagFor(option: Option, value: unknown): string[][] {
  if (option.flag === undefined || value === undefined) return [];
  const flag = longFlag(option.flag);
  const sets = flagValue(option);
  if (sets !== undefined) return value === sets ? [[flag]] : [];
  return [value].flat().map((one) => [flag, shown(one)]);
}
