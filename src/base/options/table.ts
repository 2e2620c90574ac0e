import type { OptionFacts } from "./option.ts";
import { asked } from "./table/asked.ts";
import { ofOneCommand } from "./table/commands.ts";
import { execution } from "./table/execution.ts";
import { common, reports } from "./table/output.ts";
import { runCounts } from "./table/run-count.ts";
import { gates, verdicts } from "./table/scoring.ts";

const table = { ...asked, ...runCounts, ...execution, ...verdicts, ...reports, ...gates, ...ofOneCommand, ...common };

export type Table = typeof table;
export type OptionName = keyof Table;

export interface Option extends OptionFacts {
  name: OptionName;
}

export const allOptions: readonly Option[] = Object.entries<OptionFacts>(table).map(([name, facts]) => ({
  name: name as OptionName,
  ...facts,
}));

export const runOptions: readonly Option[] = allOptions.filter(({ role }) => role !== "start" && role !== "command");

/**
 * `PROCTOR_JOBS`, from the configuration's key or the option's name. Without a key, options with the role `start` or
 * `command` have none.
 */
export function variableOf({ name, kind, role, flag, config, alone }: Option): string | undefined {
  const key = config?.split(".")[0];
  if (config !== undefined && (config === key || alone)) return `PROCTOR_${key?.toUpperCase()}`;
  // PROCTOR_RUNS sets the configuration's `runs`, which a suite's own number overrides.
  if (role === "start" || role === "command" || kind.type === "members" || flag === undefined || name === "runs")
    return undefined;
  return `PROCTOR_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}

export function nameOf({ name, flag, config }: Option): string {
  return (flag === undefined ? undefined : longFlag(flag)) ?? config ?? name;
}

export function longFlag(flag: string): string {
  return /--[a-z-]+/.exec(flag)?.[0] ?? flag;
}

export function flagValue({ flag = "", flagSets }: OptionFacts): unknown {
  if (/[<[]/.test(flag)) return undefined;
  return flagSets ?? !flag.startsWith("--no-");
}
