import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { find, pattern } from "../patterns/pattern.ts";
import { misfitOf, schemaFault } from "../schemas.ts";

const bound = z.number().optional();
const range = z
  .strictObject({ gte: bound, gt: bound, lte: bound, lt: bound })
  .refine((range) => Object.values(range).some((value) => value !== undefined), {
    error: "A range needs gte, gt, lte or lt",
  });

const schema = z.record(z.string(), z.unknown()).superRefine((written, context) => {
  const fault = schemaFault(written);
  if (fault !== undefined) context.addIssue({ code: "custom", message: `It is not a JSON Schema: ${fault}` });
});

export const argument = z.union([
  z.union([z.string(), z.number(), z.boolean(), z.null()]),
  z
    .strictObject({
      equals: z.unknown().optional(),
      regex: pattern().optional(),
      contains: z.string().min(1).optional(),
      range: range.optional(),
      json_schema: schema.optional(),
    })
    .refine((matcher) => Object.values(matcher).some((value) => value !== undefined), {
      error: "Nothing to compare with: name equals, regex, contains, range or json_schema",
    }),
]);

type Argument = z.output<typeof argument>;

export function hasArguments(input: unknown, wanted: Readonly<Record<string, Argument>>): boolean {
  const members = typeof input === "object" && input !== null ? (input as Record<string, unknown>) : {};
  return Object.entries(wanted).every(
    ([name, argument]) => members[name] !== undefined && fits(members[name], argument),
  );
}

function fits(value: unknown, argument: Argument): boolean {
  if (typeof argument !== "object" || argument === null) return value === argument;
  const { equals, regex, contains, range, json_schema } = argument;
  const text = typeof value === "string" ? value : value === null ? "" : JSON.stringify(value);
  if (equals !== undefined && !isDeepStrictEqual(value, equals)) return false;
  if (regex !== undefined && find(regex, text) === undefined) return false;
  if (contains !== undefined && !text.includes(contains)) return false;
  if (json_schema !== undefined && misfitOf(json_schema, value) !== undefined) return false;
  return range === undefined || (typeof value === "number" && within(value, range));
}

function within(value: number, { gte, gt, lte, lt }: z.output<typeof range>): boolean {
  return (
    (gte === undefined || value >= gte) &&
    (gt === undefined || value > gt) &&
    (lte === undefined || value <= lte) &&
    (lt === undefined || value < lt)
  );
}
