import { expectation } from "../expect.ts";
import { emptySuite, makeTrigger } from "../question.ts";
import type { Reader } from "./reader.ts";

/** A folder of prompts, one a file, each named after the skill it should activate. */
export const promptFile: Reader = {
  id: "prompt-file",
  read(document, { names }) {
    const match = /(?:^|[\\/])(?:prompts|triggers|queries|positives?)[\\/]([^\\/]+)\.(?:txt|md)$/.exec(document.file);
    if (match === null || document.syntax !== "text") return null;
    const found = names.resolve(match[1]!, document.file);
    const query = document.text.replace(/^\uFEFF/, "").trim();
    if (found === undefined || !("skill" in found) || query === "") return null;
    const skill = found.skill.id;
    const suite = emptySuite(document.file, promptFile.id);
    suite.triggers.push(
      makeTrigger({ id: match[1]!, skill, query, expect: expectation({ skill, shouldTrigger: true }), source: document.at(0) }),
    );
    return suite;
  },
};
