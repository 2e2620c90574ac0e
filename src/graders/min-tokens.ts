import { defineGrader } from "./grader.ts";
import { textCheck } from "./text-check.ts";
import { countTokens, oneNumber } from "./tokens.ts";

/** The reply has at least so many words. */
export const minTokens = defineGrader({
  type: "min_tokens",
  config: oneNumber,

  grade({ value }, { finalText }) {
    const count = countTokens(finalText);
    return [textCheck(count >= value, `the reply has ${count} words, at least ${value} are wanted`)];
  },
});
