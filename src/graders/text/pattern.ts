import { RE2JS } from "re2js";
import { z } from "zod";

/** A pattern from a suite. Its engine takes linear time, so no pattern can hang an exam; look-around and back-references do not exist in it. */
export const onePattern = z.strictObject({
  value: z
    .string()
    .min(1)
    .superRefine((pattern, context) => {
      try {
        compile(pattern);
      } catch (error) {
        context.addIssue({
          code: "custom",
          message: `Not a pattern (RE2 syntax): ${error instanceof Error ? error.message : String(error)}`,
        });
      }
    }),
});

/** The first match, cut short for a message. */
export function find(pattern: string, text: string): string | undefined {
  const matcher = compile(pattern).matcher(text);
  if (!matcher.find()) return undefined;
  const found = matcher.group() ?? "";
  return found.length > 80 ? `${found.slice(0, 80)}…` : found;
}

const compiled = new Map<string, RE2JS>();

export function compile(pattern: string): RE2JS {
  let engine = compiled.get(pattern);
  if (engine === undefined) {
    engine = RE2JS.compile(pattern);
    compiled.set(pattern, engine);
  }
  return engine;
}
