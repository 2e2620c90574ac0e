import { defineGrader } from "../grader.ts";
import { textCheck } from "./text-check.ts";
import { countTokens, tokenLimit } from "./tokens.ts";

/** The reply has at least this many words, or tokens. */
export const minTokens = defineGrader({
  type: "min_tokens",
  config: tokenLimit,

  async grade({ value, tokenizer }, { finalText }) {
    const { count, unit } = await countTokens(finalText, tokenizer);
    return [textCheck(count >= value, `the reply has ${count} ${unit}, at least ${value} are required`)];
  },
});
