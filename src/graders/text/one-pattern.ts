import { z } from "zod";
import { patternFault } from "../patterns/pattern.ts";

/** A pattern for the reply; `syntax: python` where it was written for Python's `re`, as eva's are. */
export const onePattern = z
  .strictObject({ value: z.string().min(1), syntax: z.enum(["re2", "lines", "python"]).default("re2") })
  .superRefine(({ value, syntax }, context) => {
    const message = patternFault(value, syntax);
    if (message !== undefined) context.addIssue({ code: "custom", path: ["value"], message });
  });
