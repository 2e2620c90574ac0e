import { resolve } from "node:path";
import { type Command, Option as Flag, InvalidArgumentError } from "commander";
import {
  allOptions,
  type CommandName,
  flagValue,
  type Option,
  parseText,
  type RunSettings,
  type StartSettings,
} from "../../base/options/index.ts";

/** Adds the command's options from the table, under headings if it has many. */
export function addOptions(command: Command, name: CommandName, layout: { headings?: boolean } = {}): Command {
  for (const option of allOptions) {
    if (option.flag === undefined || !option.commands?.includes(name)) continue;
    const flag = flagOf(option, option.flag, name);
    command.addOption(layout.headings && option.group !== undefined ? flag.helpGroup(option.group) : flag);
  }
  return command;
}

export function settingsFrom(flags: object): RunSettings & StartSettings {
  const found: Record<string, unknown> = {};
  for (const option of allOptions) {
    if (option.flag === undefined || option.role === "command") continue;
    const given = (flags as Record<string, unknown>)[new Flag(option.flag).attributeName()];
    const value = settingOf(option, given);
    if (value !== undefined && !(Array.isArray(value) && value.length === 0)) found[option.name] = value;
  }
  return found;
}

/** Commander turns `--no-cache` into `cache: false`, and reports `cache: true` if it is not given. */
function settingOf(option: Option, given: unknown): unknown {
  const sets = flagValue(option);
  if (sets === undefined) return given;
  return given === !option.flag?.startsWith("--no-") ? sets : undefined;
}

function flagOf(option: Option, flags: string, command: CommandName): Flag {
  const { kind } = option;
  const flag = new Flag(flags, textOf(option, command));
  if (option.bare !== undefined) flag.preset(option.bare);
  if (kind.type === "choice" && flagValue(option) === undefined)
    return flag.choices(kind.of).default(defaultOn(option));
  if (kind.type === "texts" || kind.type === "folders") return flag.default([]).argParser(collectorOf(option));
  if (kind.type === "number" || kind.type === "shard") return flag.argParser((text: string) => parsed(option, text));
  return flag;
}

/** Commander fills in defaults of command options only; the configuration takes precedence over those of a run. */
function defaultOn({ role, default: value }: Option): unknown {
  return role === "command" ? value : undefined;
}

/** Appends the default, or that it may be repeated, unless the text says so itself. */
function textOf({ about, flagAbout, aboutOn, kind, default: value }: Option, command: CommandName): string {
  const text = aboutOn?.[command] ?? flagAbout ?? about;
  if (text.endsWith(")")) return text;
  if (typeof value === "number") return `${text} (${value})`;
  return kind.type === "texts" || kind.type === "folders" ? `${text} (repeat)` : text;
}

function collectorOf({ kind }: Option): (text: string, before: string[]) => string[] {
  if (kind.type === "folders") return (text, before) => [...before, resolve(text)];
  if (kind.type === "texts" && kind.commas)
    return (text, before) => [...before, ...text.split(",").map((part) => part.trim())];
  return (text, before) => [...before, text];
}

function parsed({ kind }: Option, text: string): unknown {
  const result = parseText(kind, text);
  if ("problem" in result) throw new InvalidArgumentError(result.problem);
  return result.value;
}

export function wholeNumber(least: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!Number.isInteger(value) || value < least || text.trim() === "")
      throw new InvalidArgumentError(`It must be a whole number, ${least} or more.`);
    return value;
  };
}
