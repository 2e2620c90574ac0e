import { z } from "zod";
import { find, pattern } from "../patterns/pattern.ts";

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** What an argument of a call must be: a value, or one of waza's matchers. */
export const argument = z.union([
  scalar,
  z
    .strictObject({
      equals: z.unknown().optional(),
      regex: pattern().optional(),
      contains: z.string().optional(),
      range: z
        .union([z.tuple([z.number(), z.number()]), z.strictObject({ min: z.number().optional(), max: z.number().optional() })])
        .optional(),
    })
    .refine((matcher) => Object.values(matcher).some((value) => value !== undefined), {
      error: "Nothing to compare with: name equals, regex, contains or range",
    }),
]);

type Argument = z.output<typeof argument>;

/** Does the call's input have all of these arguments? */
export function hasArguments(input: unknown, wanted: Readonly<Record<string, Argument>>): boolean {
  const members = typeof input === "object" && input !== null ? (input as Record<string, unknown>) : {};
  return Object.entries(wanted).every(([name, argument]) => fits(members[name], argument));
}

function fits(value: unknown, argument: Argument): boolean {
  if (typeof argument !== "object" || argument === null) return value === argument;
  const { equals, regex, contains, range } = argument;
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  if (equals !== undefined && JSON.stringify(value) !== JSON.stringify(equals)) return false;
  if (regex !== undefined && (value === undefined || find(regex, text) === undefined)) return false;
  if (contains !== undefined && (value === undefined || !text.includes(contains))) return false;
  return range === undefined || (typeof value === "number" && within(value, range));
}

function within(value: number, range: [number, number] | { min?: number | undefined; max?: number | undefined }): boolean {
  const { min, max } = Array.isArray(range) ? { min: range[0], max: range[1] } : range;
  return value >= (min ?? Number.NEGATIVE_INFINITY) && value <= (max ?? Number.POSITIVE_INFINITY);
}
