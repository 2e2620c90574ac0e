import { z } from "zod";

export const oneNumber = z.strictObject({ value: z.number().int().nonnegative() });

/** Words between white space, as eva counts tokens: the same number on every machine and for every model. */
export function countTokens(text: string): number {
  return text.match(/\S+/g)?.length ?? 0;
}
