import type { Config } from "./config.ts";
import type { ValueOf } from "./kinds.ts";
import type { CommandName } from "./option.ts";
import { type Option, type OptionName, runOptions, type Table } from "./table.ts";

export type RunSettings = Settings<"exam" | "reading" | "conduct">;

export type StartSettings = Settings<"start">;

export type CommandSettings<Command extends CommandName> = {
  -readonly [Name in NamesIn<"command"> as Table[Name] extends { commands: readonly (infer Of)[] }
    ? Command extends Of
      ? Name
      : never
    : never]?: Value<Name>;
};

/** A run's options with all defaults, arranged as in the record's header. */
export type ExamOptions = Members<""> & { filters: Filters; limits: RunLimits; runs: Members<"runs"> };

/** Which questions are asked. Anything but `{}` makes the run partial. */
export type Filters = Members<"filters">;

export type RunLimits = Members<"limits">;

type Settings<Role extends Option["role"]> = { -readonly [Name in NamesIn<Role>]?: Value<Name> };
type NamesIn<Role> = { [Name in OptionName]: Table[Name]["role"] extends Role ? Name : never }[OptionName];
type Value<Name extends OptionName> = ValueOf<Table[Name]["kind"]>;

type RecordedPlace<Name extends OptionName> = Table[Name] extends { recorded: infer Path }
  ? Path extends `${infer Group}.${infer Member}`
    ? [Group, Member]
    : Path extends string
      ? ["", Path]
      : []
  : [];
type NameIn<Name extends OptionName, Group extends string> =
  RecordedPlace<Name> extends [Group, infer Member extends string] ? Member : never;
type Filled = { [Name in OptionName]: Table[Name] extends { default: unknown } ? Name : never }[OptionName];
type Members<Group extends string> = { -readonly [Name in Filled as NameIn<Name, Group>]: Value<Name> } & {
  -readonly [Name in Exclude<OptionName, Filled> as NameIn<Name, Group>]?: Value<Name>;
};

export interface Configured {
  config: Config;
  environment?: RunSettings;
}

export function runSettingsIn(given: object): RunSettings {
  const names: readonly string[] = runOptions.map(({ name }) => name);
  return Object.fromEntries(
    Object.entries(given).filter(([name, value]) => value !== undefined && names.includes(name)),
  );
}

/** Precedence: given settings, environment, configuration, defaults. */
export function resolveExamOptions(given: RunSettings, configured: Configured): ExamOptions {
  const settings = withNamedAgentOptions(given);
  const resolved: Record<string, unknown> = Object.fromEntries(groups.map((group) => [group, {}]));
  for (const option of runOptions) {
    const value = valueFor(option, settings, configured);
    if (option.recorded !== undefined && value !== undefined)
      setAt(resolved, option.recorded, toRecorded(option, value));
  }
  return resolved as ExamOptions;
}

// `!`: a split text has a first part.
const groups = [
  ...new Set(runOptions.flatMap(({ recorded }) => (recorded?.includes(".") ? [recorded.split(".")[0]!] : []))),
].filter((group) => runOptions.every(({ recorded }) => recorded !== group));

function valueFor(option: Option, settings: RunSettings, { config, environment = {} }: Configured): unknown {
  const given = member(settings, option.name) ?? member(environment, option.name);
  const configured = configuredValue(option, config);
  if (option.adds) return [...((configured ?? []) as unknown[]), ...((given ?? []) as unknown[])];
  const value = given ?? configured ?? option.default;
  return Array.isArray(value) && value.length === 0 ? undefined : value;
}

function configuredValue({ config: path, alone }: Option, config: Config): unknown {
  if (path === undefined) return undefined;
  const [key, name] = path.split(".") as [keyof Config, string | undefined];
  const value: unknown = config[key];
  if (name === undefined) return value;
  return typeof value === "object" ? member(value, name) : alone ? value : undefined;
}

/** Turns `agentOptions: { use_login: true }` into `useLogin: true`, so that each option has one name. */
export function withNamedAgentOptions(settings: RunSettings): RunSettings {
  if (settings.agentOptions === undefined) return settings;
  const named: Record<string, unknown> = {};
  const others = { ...settings.agentOptions };
  for (const { name, recorded } of runOptions) {
    const [group, key] = recorded?.split(".") ?? [];
    if (group !== "agentOptions" || key === undefined || others[key] === undefined) continue;
    named[name] = others[key];
    delete others[key];
  }
  return { ...settings, ...named, agentOptions: Object.keys(others).length === 0 ? undefined : others };
}

export function toRecorded({ times = 1 }: Option, value: unknown): unknown {
  return typeof value === "number" ? value * times : value;
}

export function getAt(holder: object, path: string): unknown {
  return path.split(".").reduce<unknown>((inside, key) => member(inside, key), holder);
}

export function setAt(holder: Record<string, unknown>, path: string, value: unknown): void {
  const [group, key] = path.split(".") as [string, string | undefined];
  if (key === undefined)
    holder[group] = isMembers(value) ? { ...(holder[group] as object | undefined), ...value } : value;
  else holder[group] = { ...(holder[group] as object | undefined), [key]: value };
}

function member(holder: unknown, key: string): unknown {
  return isMembers(holder) ? holder[key] : undefined;
}

function isMembers(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
