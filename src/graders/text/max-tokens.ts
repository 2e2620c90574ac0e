import { defineGrader } from "../grader.ts";
import { textCheck } from "./text-check.ts";
import { countTokens, tokenLimit } from "./tokens.ts";

/** The reply has at most this many words, or tokens. */
export const maxTokens = defineGrader({
  type: "max_tokens",
  config: tokenLimit,

  async grade({ value, tokenizer }, { finalText }) {
    const { count, unit } = await countTokens(finalText, tokenizer);
    return [textCheck(count <= value, `the reply has ${count} ${unit}, at most ${value} are allowed`)];
  },
});
