import type { z } from "zod";
import { didYouMean } from "../text/near.ts";

export interface ConfigNote {
  path: (string | number)[];
  key?: string;
  message: string;
}

export function noteText({ path, message }: ConfigNote): string {
  return path.length > 0 ? `${path.join(".")}: ${message}` : message;
}

export function rejectionsOf(config: unknown, schema: z.ZodType): ConfigNote[] {
  const parsed = schema.safeParse(config);
  if (parsed.success) return [];
  return parsed.error.issues.flatMap((issue) => notesOn(issue, [], { config, schema }));
}

/** If one variant of a union is meant but slightly wrong, reports its faults instead of the union's. */
function notesOn(
  issue: z.core.$ZodIssue,
  above: readonly (string | number)[],
  { config, schema }: { config: unknown; schema: z.ZodType },
): ConfigNote[] {
  const path = [...above, ...issue.path.map(step)];
  const meant = issue.code === "invalid_union" ? meantIn(issue.errors, valueAt(config, path)) : undefined;
  if (meant !== undefined) return meant.flatMap((one) => notesOn(one, path, { config, schema }));
  const [key] = issue.code === "unrecognized_keys" ? issue.keys : [];
  return [
    {
      path,
      key,
      message: wordsFor(issue, valueAt(config, path), () => keysAt(schema, path)),
    },
  ];
}

/** The union's variant whose faults are all inside the value; for an object, else one that has only custom messages. */
function meantIn(ways: z.core.$ZodIssue[][], value: unknown): z.core.$ZodIssue[] | undefined {
  const own =
    typeof value === "object" ? ways.find((issues) => issues.every(({ code }) => code === "custom")) : undefined;
  return ways.find((issues) => issues.every(isWithin)) ?? own;
}

function isWithin({ path, code }: z.core.$ZodIssue): boolean {
  return path.length > 0 || code === "unrecognized_keys";
}

function step(key: PropertyKey): string | number {
  return typeof key === "number" ? key : String(key);
}

function wordsFor(issue: z.core.$ZodIssue, value: unknown, known: () => string[]): string {
  // A schema's own messages stay as they are.
  if (!/^(?:Invalid (?:input|option)|Too (?:small|big)|Unrecognized key)/.test(issue.message)) return issue.message;
  if (value === undefined && issue.code !== "unrecognized_keys") return `It is missing${needed(issue)}`;
  switch (issue.code) {
    case "invalid_union":
    case "invalid_type":
      return `It is ${shown(value)}${needed(issue)}`;
    case "invalid_value": {
      const values = issue.values.map(String);
      return `${JSON.stringify(value)} is none of ${values.join(", ")}. ${didYouMean(String(value), values, "", { most: 1 })}`.replace(
        /\. ?$/,
        "",
      );
    }
    case "too_small":
      return issue.origin === "string" || issue.origin === "array"
        ? "It is empty"
        : `${String(value)} is too small: ${issue.inclusive ? "at least" : "more than"} ${issue.minimum} is needed`;
    case "too_big":
      return `${String(value)} is too large: at most ${issue.maximum} is allowed`;
    case "unrecognized_keys":
      return issue.keys
        .map((key) =>
          `There is no setting "${key}". ${didYouMean(key, known(), settingsText(known()), { most: 1 })}`.trimEnd(),
        )
        .join("; ")
        .replace(/\.$/, "");
    default:
      return issue.message;
  }
}

function settingsText(known: readonly string[]): string {
  return known.length === 0 ? "" : `The settings are ${known.join(", ")}`;
}

const KINDS: Record<string, string> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "a mapping",
  record: "a mapping",
};

function needed(issue: z.core.$ZodIssue): string {
  const wanted = expectedIn(issue).map((kind) => KINDS[kind] ?? kind);
  return wanted.length === 0 ? "" : `; ${[...new Set(wanted)].join(" or ")} is needed`;
}

function expectedIn(issue: z.core.$ZodIssue): string[] {
  if (issue.code === "invalid_type") return [issue.expected];
  if (issue.code === "invalid_value") return [`one of ${issue.values.map(String).join(", ")}`];
  return issue.code === "invalid_union"
    ? issue.errors.flatMap((issues) => issues.flatMap((one) => (one.path.length === 0 ? expectedIn(one) : [])))
    : [];
}

function shown(value: unknown): string {
  if (value === null) return "empty";
  if (typeof value === "object") return Array.isArray(value) ? "a list" : "a mapping";
  return JSON.stringify(value);
}

function valueAt(config: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (value, step) =>
      typeof value === "object" && value !== null ? (value as Record<string | number, unknown>)[step] : undefined,
    config,
  );
}

interface JsonSchema {
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  additionalProperties?: JsonSchema | boolean;
  anyOf?: JsonSchema[];
}

function keysAt(schema: z.ZodType, path: readonly (string | number)[]): string[] {
  // A custom grader's schema may come from an older zod without this method.
  const root = (schema.toJSONSchema?.({ io: "input", unrepresentable: "any" }) ?? {}) as JsonSchema;
  const all = path.reduce<JsonSchema[]>((found, step) => found.flatMap((one) => below(one, step)), [root]);
  return [...new Set(all.flatMap(variants).flatMap(({ properties }) => Object.keys(properties ?? {})))];
}

function below(schema: JsonSchema, step: string | number): JsonSchema[] {
  return variants(schema).flatMap((one) => {
    const next = typeof step === "number" ? one.items : (one.properties?.[step] ?? one.additionalProperties);
    return typeof next === "object" ? [next] : [];
  });
}

function variants(schema: JsonSchema): JsonSchema[] {
  return [schema, ...(schema.anyOf ?? []).flatMap(variants)];
}
