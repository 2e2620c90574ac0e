import { createRequire } from "node:module";
import { resolve } from "node:path";
import type { ErrorObject, ValidateFunction } from "ajv";
import { z } from "zod";
import { readText } from "../../base/index.ts";
import { type Check, defineGrader } from "../grader.ts";
import { compile } from "../patterns/pattern.ts";
import { textCheck } from "./text-check.ts";

const schema = z.record(z.string(), z.unknown());

/** The reply is JSON, or has JSON in a code block, that matches a JSON Schema, given inline or as a file relative to the suite. */
export const jsonSchema = defineGrader({
  type: "json_schema",
  config: z
    .strictObject({
      value: z.union([schema, z.string().min(1)]).optional(),
      /** As waza calls them. */
      schema: schema.optional(),
      schema_file: z.string().min(1).optional(),
      extract_json: z.boolean().default(true),
    })
    .transform(({ value, schema, schema_file, extract_json }, context) => {
      const given = value ?? schema ?? schema_file;
      if (given === undefined) context.addIssue({ code: "custom", message: "There is no schema: name value, schema or schema_file" });
      return { value: given ?? {}, extract_json };
    }),

  fault({ value }, suiteDir) {
    if (typeof value === "string" && suiteDir === undefined) return undefined;
    try {
      validatorOf(schemaOf(value, suiteDir));
      return undefined;
    } catch (error) {
      return `it is no JSON Schema: ${error instanceof Error ? error.message : String(error)}`;
    }
  },

  grade({ value, extract_json }, { finalText }, { suiteDir }) {
    const validate = validatorOf(schemaOf(value, suiteDir));
    const found = jsonIn(finalText, extract_json);
    if (found === undefined) return [textCheck(false, `the reply is not JSON${extract_json ? " and has no JSON in a code block" : ""}`)];
    const fits = validate(found.value);
    return [fits ? textCheck(true, "the reply matches the schema") : misfit(validate.errors ?? [])];
  },
});

function schemaOf(value: string | Record<string, unknown>, suiteDir: string | undefined): Record<string, unknown> {
  return typeof value === "string" ? readSchema(value, suiteDir) : value;
}

/** A run reads the file once, before it asks; it comes here when that was not possible, or when no run has read it. */
function readSchema(file: string, suiteDir: string | undefined): Record<string, unknown> {
  if (suiteDir === undefined) throw new Error(`${file} is relative to a suite, and there is none`);
  const read = readText(resolve(suiteDir, file), { within: suiteDir });
  if (read.status === "unreadable") throw new Error(`${file} cannot be used: ${read.message}`);
  return schema.parse(JSON.parse(read.text));
}

const validators = new WeakMap<object, ValidateFunction>();
const require = createRequire(import.meta.url);

/** Ajv is loaded when first needed: few suites use it, and it is large. */
function validatorOf(wanted: Record<string, unknown>): ValidateFunction {
  const known = validators.get(wanted);
  if (known !== undefined) return known;
  const draft7 = typeof wanted["$schema"] === "string" && wanted["$schema"].includes("draft-07");
  const Ajv = draft7
    ? (require("ajv") as typeof import("ajv")).Ajv
    : (require("ajv/dist/2020.js") as typeof import("ajv/dist/2020.js")).Ajv2020;
  const { $schema: _, ...rest } = wanted;
  const validate = new Ajv({ strict: false, allErrors: false, validateFormats: false, code: { regExp: linearRegExp } }).compile(rest);
  validators.set(wanted, validate);
  return validate;
}

/** Patterns in a schema come from a suite too. Ajv tells them apart by their text. */
const linearRegExp = Object.assign(
  (pattern: string) => {
    const { engine } = compile(pattern);
    return { test: (text: string) => engine.matcher(text).find(), toString: () => pattern };
  },
  { code: "linear" },
);

function jsonIn(reply: string, extract: boolean): { value: unknown } | undefined {
  const fenced = [...reply.matchAll(/^[ \t]*```[^\n]*\n(.*?)^[ \t]*```/gms)].map(([, inside = ""]) => inside);
  for (const candidate of extract ? [reply, ...fenced] : [reply]) {
    try {
      return { value: JSON.parse(candidate) };
    } catch {
      // The next one may be.
    }
  }
  return undefined;
}

function misfit([first]: ErrorObject[]): Check {
  const place = first?.instancePath === "" ? "the reply" : (first?.instancePath ?? "the reply");
  return textCheck(false, `${place} ${first?.message ?? "does not match the schema"}`);
}
