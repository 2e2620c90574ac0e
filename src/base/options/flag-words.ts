import { shown } from "./kinds.ts";
import { type RunSettings, withNamedAgentOptions } from "./resolve.ts";
import { flagValue, longFlag, type Option, runOptions } from "./table.ts";

/** These settings as words of a command line. */
export function flagWords(settings: RunSettings): string[] {
  return flagsFor(settings).flat();
}

/** Like `flagWords`, with each flag and its argument in one text. */
export function flagTexts(settings: RunSettings): string[] {
  return flagsFor(settings).map((words) => words.join(" "));
}

/**
 * The flags that say what is asked, of whom and how it is read: what a command must repeat to mean the same exam. Not: paths and targets,
 * which the record has anyway, and what a run may cost or how it ends.
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
