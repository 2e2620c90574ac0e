import { defineGrader } from "../grader.ts";
import { find, onePattern } from "./pattern.ts";
import { textCheck } from "./text-check.ts";

/** The pattern is found nowhere in the reply. */
export const notMatches = defineGrader({
  type: "not_matches",
  config: onePattern,

  grade({ value }, { finalText }) {
    const found = find(value, finalText);
    const message = found === undefined ? `nothing in the reply matches /${value}/` : `"${found}" matches /${value}/`;
    return [textCheck(found === undefined, message)];
  },
});
