import { defineGrader } from "../grader.ts";
import { severalTexts, textCheck } from "./text-check.ts";

/** The reply has at least one of these texts in it. */
export const containsAny = defineGrader({
  type: "contains_any",
  config: severalTexts,

  grade({ value }, { finalText }) {
    const found = value.find((text) => finalText.includes(text));
    const message =
      found === undefined
        ? `the reply contains none of ${value.map((text) => `"${text}"`).join(", ")}`
        : `the reply contains "${found}"`;
    return [textCheck(found !== undefined, message)];
  },
});
