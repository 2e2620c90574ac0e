import { defineGrader } from "../grader.ts";
import { oneText, textCheck } from "./text-check.ts";

/** The reply has this text in it, letter for letter. */
export const contains = defineGrader({
  type: "contains",
  config: oneText,

  grade({ value }, { finalText }) {
    const found = finalText.includes(value);
    return [textCheck(found, `the reply ${found ? "contains" : "does not contain"} "${value}"`)];
  },
});
