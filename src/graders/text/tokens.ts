import { z } from "zod";
import { checked } from "../checks.ts";
import { defineGrader } from "../grader.ts";

export const tokenCount = z.number().int().nonnegative();
export const tokenizer = z.enum(["words", "o200k_base", "cl100k_base"]).default("words");

export const tokens = defineGrader({
  type: "tokens",
  config: z
    .strictObject({ min: tokenCount.optional(), max: tokenCount.optional(), tokenizer })
    .refine(({ min, max }) => min !== undefined || max !== undefined, { error: "Nothing to check: name min or max" })
    .refine(({ min = 0, max = min }) => min <= max, { error: "min is larger than max" }),

  async grade({ min, max, tokenizer }, { finalText }) {
    const { count, unit } = await countTokens(finalText, tokenizer);
    const length = `the reply has ${count} ${unit}`;
    return [
      ...(min === undefined ? [] : [checked(count >= min, `${length}, at least ${min} are required`)]),
      ...(max === undefined ? [] : [checked(count <= max, `${length}, at most ${max} are allowed`)]),
    ];
  },
});

type Tokenizer = z.output<typeof tokenizer>;

/** White space as in Python's `split`, which differs from JavaScript's. */
const SPACE = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/;

/** Words are counted like eva's tokens: the number is the same on every machine and for every model. */
async function countTokens(text: string, tokenizer: Tokenizer): Promise<{ count: number; unit: string }> {
  if (tokenizer === "words") return { count: text.split(SPACE).filter((word) => word !== "").length, unit: "words" };
  const { countTokens } = await load(tokenizer);
  return { count: countTokens(text), unit: `${tokenizer} tokens` };
}

async function load(tokenizer: Exclude<Tokenizer, "words">): Promise<{ countTokens(text: string): number }> {
  const name = `gpt-tokenizer/encoding/${tokenizer}`;
  try {
    return await import(name);
  } catch {
    throw new Error(`counting ${tokenizer} tokens needs a package that is not installed: npm install gpt-tokenizer`);
  }
}
