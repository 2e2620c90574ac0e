import { createRequire } from "node:module";
import type { ErrorObject, ValidateFunction } from "ajv";
import { compile } from "./patterns/pattern.ts";

const validators = new WeakMap<object, ValidateFunction>();
const require = createRequire(import.meta.url);

/** Throws if it is not a JSON Schema. Ajv is large and few suites need it, so it is loaded on demand. */
function validatorOf(schema: Record<string, unknown>): ValidateFunction {
  const known = validators.get(schema);
  if (known !== undefined) return known;
  const draft7 = typeof schema["$schema"] === "string" && schema["$schema"].includes("draft-07");
  const Ajv = draft7
    ? (require("ajv") as typeof import("ajv")).Ajv
    : (require("ajv/dist/2020.js") as typeof import("ajv/dist/2020.js")).Ajv2020;
  const { $schema: _, ...rest } = schema;
  const validate = new Ajv({
    strict: false,
    allErrors: false,
    ownProperties: true,
    validateFormats: false,
    code: { regExp: linearRegExp },
  }).compile(rest);
  validators.set(schema, validate);
  return validate;
}

export function schemaFault(schema: Record<string, unknown>): string | undefined {
  try {
    validatorOf(schema);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

export function misfitOf(schema: Record<string, unknown>, value: unknown): ErrorObject | undefined {
  const validate = validatorOf(schema);
  return validate(value) ? undefined : validate.errors?.[0];
}

/** Patterns in a schema come from suites, so they must run in linear time. Ajv caches them by `toString()`. */
const linearRegExp = Object.assign(
  (pattern: string) => {
    const { engine } = compile(pattern);
    return { test: (text: string) => engine.matcher(text).find(), toString: () => pattern };
  },
  { code: "linear" },
);
