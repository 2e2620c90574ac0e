import type { Config } from "./config.ts";
import type { ValueOf } from "./kinds.ts";
import type { CommandName } from "./option.ts";
import { type Option, type OptionName, runOptions, type Table } from "./table.ts";

/** The options that make up a run, by name: what the command line, or a caller of the library, asks for on top of the configuration. */
export type RunSettings = Settings<"exam" | "reading" | "conduct">;

/** The options of `run()` that say how a run is started, by name. */
export type StartSettings = Settings<"start">;

/** The options that one command has for itself, by name. */
export type CommandSettings<Command extends CommandName> = {
  -readonly [Name in NamesIn<"command"> as Table[Name] extends { commands: readonly (infer Of)[] }
    ? Command extends Of
      ? Name
      : never
    : never]?: Value<Name>;
};

/** The options of a run with everything filled in; arranged as the record's header holds them. */
export type ExamOptions = Members<""> & { filters: Filters; limits: RunLimits; runs: Members<"runs"> };

/** Which questions are put. Anything but `{}` makes the run partial. */
export type Filters = Members<"filters">;

/** What a run may not exceed. */
export type RunLimits = Members<"limits">;

type Settings<Role extends Option["role"]> = { -readonly [Name in NamesIn<Role>]?: Value<Name> };
type NamesIn<Role> = { [Name in OptionName]: Table[Name]["role"] extends Role ? Name : never }[OptionName];
type Value<Name extends OptionName> = ValueOf<Table[Name]["kind"]>;

/** Where in the resolved options: the group ("" for none) and the name in it. */
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

/** What the configuration and the environment come to. */
export interface Configured {
  config: Config;
  /** What variables say of options that have no key of their own in the configuration. */
  environment?: RunSettings;
}

/** The settings of a run among other members. */
export function runSettingsIn(given: object): RunSettings {
  const names: readonly string[] = runOptions.map(({ name }) => name);
  return Object.fromEntries(
    Object.entries(given).filter(([name, value]) => value !== undefined && names.includes(name)),
  );
}

/** What is given, then the environment, then the configuration, then the defaults. */
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

/** The members of options that hold further ones and are no option themselves: there even when empty. */
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

/** `agentOptions: { use_login: true }` says `useLogin: true`: each option is known under one name from here on. */
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

/** An option's value as it is resolved and recorded. */
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
