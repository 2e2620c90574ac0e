import { z } from "zod";

const limit = z.number().int().nonnegative();

/** `2000`, or `{ value: 2000, tokenizer: o200k_base }` to count real tokens. */
export const tokenLimit = z
  .strictObject({
    value: z.union([
      limit,
      z.strictObject({ value: limit, tokenizer: z.enum(["words", "o200k_base", "cl100k_base"]).default("words") }),
    ]),
  })
  .transform(({ value }) => (typeof value === "number" ? { value, tokenizer: "words" as const } : value));

type Tokenizer = z.output<typeof tokenLimit>["tokenizer"];

/** What Python's `split` takes for white space, which is not quite what JavaScript does. */
const SPACE = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/;

/** Words between white space, as eva counts tokens: the same number on every machine and for every model. Real tokens when asked. */
export async function countTokens(text: string, tokenizer: Tokenizer): Promise<{ count: number; unit: string }> {
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
