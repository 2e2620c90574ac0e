import { defineGrader } from "../grader.ts";
import { find } from "../patterns/pattern.ts";
import { onePattern } from "./one-pattern.ts";
import { textCheck } from "./text-check.ts";

/** The pattern is found somewhere in the reply. */
export const matches = defineGrader({
  type: "matches",
  config: onePattern,

  grade({ value, syntax }, { finalText }) {
    const found = find(value, finalText, syntax);
    const message =
      found === undefined ? `nothing in the reply matches /${value}/` : `"${found}" in the reply matches /${value}/`;
    return [textCheck(found !== undefined, message)];
  },
});
