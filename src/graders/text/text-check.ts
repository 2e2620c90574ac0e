import { z } from "zod";
import type { Check } from "../../model/index.ts";

/** YAML does not read `42` and `true` as text; an author who looks for them in a reply means the text. */
const text = z
  .union([z.string().min(1, "Every reply contains an empty text"), z.number(), z.boolean()])
  .transform(String);

export const oneText = z.strictObject({ value: text });

export const severalTexts = z.strictObject({ value: z.array(text).min(1, "The list is empty") });

export function textCheck(passed: boolean, message: string): Check {
  return { passed, score: passed ? 1 : 0, message };
}
