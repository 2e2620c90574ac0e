import { defineGrader } from "../grader.ts";
import { oneText, textCheck } from "./text-check.ts";

/** The reply does not have this text in it. */
export const notContains = defineGrader({
  type: "not_contains",
  config: oneText,

  grade({ value }, { finalText }) {
    const found = finalText.includes(value);
    return [
      textCheck(!found, `the reply ${found ? `contains "${value}", but must not` : `does not contain "${value}"`}`),
    ];
  },
});
