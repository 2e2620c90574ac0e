import { z } from "zod";
import type { Kind, ValueOf } from "./kinds.ts";
import { allOptions, type Option, type OptionName, type Table } from "./table.ts";

const count = z.int().min(1);

interface OwnReporter {
  name: string;
  about: string;
  render(...given: never[]): unknown;
}

const ownReporter = z.custom<OwnReporter>((value) => isReporter(value), "it has no name, or no function render");

const targetSettings = z.strictObject({
  target: z.string().min(1).describe("As on the command line: embedded, claude:haiku, script:answers.yaml …"),
  endpoint: z.string().optional().describe("An address other than the provider's own: a gateway, a local server."),
  env: z.record(z.string(), z.string()).optional().describe("Environment variables for this target only."),
  options: z
    .record(z.string(), z.unknown())
    .optional()
    .describe("Options of this kind of target; they are part of its identity."),
  concurrency: count.optional().describe("At most this many of its trials at once."),
  timeout_seconds: z.number().positive().optional().describe("Time limit for one of its trials."),
  cost_usd: z
    .number()
    .min(0)
    .optional()
    .describe("What one trial is expected to cost, where Proctor has no way to know."),
});

const structures = {
  $schema: z.string().optional(),
  libraries: z
    .record(z.string(), z.union([z.string(), z.array(z.string())]))
    .optional()
    .describe(
      "Splits what is found from the root into libraries: a name and the folders that belong to it, relative to this file.",
    ),
  targets: z
    .array(z.union([z.string().min(1), targetSettings]))
    .optional()
    .describe("Who answers when no -t is given, and settings per target."),
  graders: z
    .array(z.unknown())
    .optional()
    .describe("Your own graders, made with defineGrader (only in a configuration that is code)."),
  reporters: z
    .array(z.union([z.string(), ownReporter]))
    .optional()
    .describe("How a run is shown when no --reporter is given: terminal, json=FILE …, or your own reporter."),
  rules: z
    .record(z.string(), z.enum(["off", "info", "warning", "error"]))
    .optional()
    .describe("Levels of proctor check's rules, by code."),
  providers: z
    .record(z.string(), z.strictObject({ baseUrl: z.string().optional(), apiKey: z.string().optional() }))
    .optional()
    .describe("Model providers: their addresses, and any others that speak OpenAI's chat completions."),
  prices: z
    .record(
      z.string(),
      z.strictObject({
        input: z.number(),
        output: z.number(),
        cacheRead: z.number().optional(),
        cacheWrite: z.number().optional(),
      }),
    )
    .optional()
    .describe("Dollars per million tokens by provider/model, where Proctor's table has no price or an old one."),
};

const grouped: Record<string, string> = {
  runs: "Times to ask each question whose suite does not say (triggers 3, cases 1).",
  budget: "Dollars, or dollars, tokens and trials, that a run may not exceed.",
};

type Key<Name extends OptionName> = Table[Name] extends { config: infer Path extends string } ? Path : never;
type ConfigValue<Name extends OptionName> = ValueOf<Table[Name]["kind"]>;
type Plain = {
  -readonly [Name in OptionName as Key<Name> extends `${string}.${string}` ? never : Key<Name>]?: ConfigValue<Name>;
};
type MembersOf<Group extends string> = {
  -readonly [Name in OptionName as Key<Name> extends `${Group}.${infer Member}` ? Member : never]?: ConfigValue<Name>;
};
type Grouped = { [Group in "runs" | "budget"]?: number | MembersOf<Group> };

export type Config = Omit<Plain, keyof typeof structures> & Grouped & z.infer<z.ZodObject<typeof structures>>;
export type TargetSettings = z.infer<typeof targetSettings>;

const shape: Record<string, z.ZodType> = { ...structures, ...fromTable() };

export const configSchema = z.strictObject(shape) as unknown as z.ZodType<Config>;

export const configKeys: readonly string[] = Object.keys(shape).filter((key) => key !== "$schema");

function fromTable(): Record<string, z.ZodType> {
  const keys: Record<string, z.ZodType> = {};
  for (const { config, ...option } of allOptions) {
    const [key, member] = config?.split(".") ?? [];
    if (key === undefined || key in keys || key in structures) continue;
    keys[key] = (member === undefined ? schemaOf(option.kind).describe(sentence(option)) : groupSchema(key)).optional();
  }
  return keys;
}

function groupSchema(key: string): z.ZodType {
  const members = allOptions.filter(({ config }) => config?.startsWith(`${key}.`));
  const alone = members.filter((option) => option.alone).map(({ kind }) => schemaOf(kind))[0];
  // `!`: the filter kept only options with such a key.
  const inner = members.map((option) => [
    option.config!.slice(key.length + 1),
    schemaOf(option.kind).optional().describe(sentence(option)),
  ]);
  const object = z.strictObject(Object.fromEntries(inner));
  return (alone === undefined ? object : z.union([alone, object])).describe(grouped[key] ?? "");
}

function schemaOf(kind: Kind): z.ZodType {
  switch (kind.type) {
    case "boolean":
      return z.boolean();
    case "text":
      return z.string();
    case "choice":
      return z.enum(kind.of as [string, ...string[]]);
    case "number":
      return numberSchema(kind);
    case "texts":
    case "folders":
      return z.array(z.string());
    case "shard":
      return z.strictObject({ index: count, count });
    case "members":
      return z.record(z.string(), z.unknown());
  }
}

function numberSchema({ whole, least, above, most, below }: Extract<Kind, { type: "number" }>): z.ZodType {
  let schema: z.ZodNumber = whole ? z.int() : z.number();
  if (least !== undefined) schema = schema.min(least);
  if (above !== undefined) schema = schema.gt(above);
  if (most !== undefined) schema = schema.max(most);
  if (below !== undefined) schema = schema.lt(below);
  return schema;
}

function sentence({ about, default: value }: Omit<Option, "config">): string {
  const start = `${about.charAt(0).toUpperCase()}${about.slice(1)}`;
  return value === undefined || Array.isArray(value) ? `${start}.` : `${start} (${value}).`;
}

function isReporter(value: unknown): boolean {
  const { name, render } = (value ?? {}) as Record<string, unknown>;
  return typeof name === "string" && /^[a-z][a-z0-9-]*$/.test(name) && typeof render === "function";
}
