import { resolve } from "node:path";
import type { ErrorObject } from "ajv";
import { z } from "zod";
import { readText } from "../../base/index.ts";
import type { Check } from "../../model/index.ts";
import { checked } from "../checks.ts";
import { defineGrader } from "../grader.ts";
import { misfitOf, schemaFault } from "../schemas.ts";
import { jsonIn } from "./json-in.ts";

const schema = z.record(z.string(), z.unknown());

export const jsonSchema = defineGrader({
  type: "json_schema",
  config: z
    .strictObject({
      value: z.union([schema, z.string().min(1)]).optional(),
      /** waza's spellings of `value`. */
      schema: schema.optional(),
      schema_file: z.string().min(1).optional(),
      extract_json: z.boolean().default(true),
    })
    .transform(({ value, schema, schema_file, extract_json }, context) => {
      const given = value ?? schema ?? schema_file;
      if (given === undefined)
        context.addIssue({ code: "custom", message: "There is no schema: name value, schema or schema_file" });
      return { value: given ?? {}, extract_json };
    }),

  fault({ value }, suiteDir) {
    if (typeof value === "string" && suiteDir === undefined) return undefined;
    const fault = faultOf(value, suiteDir);
    return fault && `it is not a JSON Schema: ${fault}`;
  },

  grade({ value, extract_json }, { finalText }, { suiteDir }) {
    const wanted = schemaOf(value, suiteDir);
    const found = jsonIn(finalText, extract_json);
    if (found.status === "none")
      return [checked(false, `the reply is not JSON${extract_json ? " and has none in it" : ""}`)];
    if (found.status === "several")
      return [checked(false, `the reply has ${found.count} pieces of JSON in it, and nothing says which one is meant`)];
    const misfit = misfitOf(wanted, found.value);
    return [misfit === undefined ? checked(true, "the reply matches the schema") : misfitCheck(misfit)];
  },
});

function faultOf(value: string | Record<string, unknown>, suiteDir: string | undefined): string | undefined {
  try {
    return schemaFault(schemaOf(value, suiteDir));
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function schemaOf(value: string | Record<string, unknown>, suiteDir: string | undefined): Record<string, unknown> {
  return typeof value === "string" ? readSchema(value, suiteDir) : value;
}

/** A run inlines the file beforehand; this is the fallback if that failed, or without a run. */
function readSchema(file: string, suiteDir: string | undefined): Record<string, unknown> {
  if (suiteDir === undefined) throw new Error(`${file} is relative to a suite, and there is none`);
  const read = readText(resolve(suiteDir, file), { within: suiteDir });
  if (read.status === "unreadable") throw new Error(`${file} cannot be used: ${read.message}`);
  return schema.parse(JSON.parse(read.text));
}

function misfitCheck({ instancePath, message }: ErrorObject): Check {
  return checked(
    false,
    `${instancePath === "" ? "the reply" : instancePath} ${message ?? "does not match the schema"}`,
  );
}
