import { defineGrader } from "../grader.ts";
import { severalTexts } from "./text-check.ts";

/** The reply has every one of these texts in it; its score is the share it contains. */
export const containsAll = defineGrader({
  type: "contains_all",
  config: severalTexts,

  grade({ value }, { finalText }) {
    const missing = value.filter((text) => !finalText.includes(text));
    const score = (value.length - missing.length) / value.length;
    if (missing.length === 0) return [{ passed: true, score, message: `the reply contains all ${value.length} texts` }];
    return [
      { passed: false, score, message: `the reply does not contain ${missing.map((text) => `"${text}"`).join(", ")}` },
    ];
  },
});
