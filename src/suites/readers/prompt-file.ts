import { basename, dirname, relative } from "node:path";
import { expectation } from "../expect.ts";
import { listLabel, normalKey } from "../labels.ts";
import type { Names } from "../names.ts";
import { emptySuite, makeTrigger } from "../question.ts";
import type { Reader } from "./reader.ts";

/** A folder of prompts, one a file, each named after the skill it should activate, or in a folder that is. */
export const promptFile: Reader = {
  id: "prompt-file",
  read(document, { names }) {
    if (document.syntax !== "text") return null;
    const path = relative(names.library.root, document.file).replaceAll("\\", "/");
    const match = /(?:^|\/)(?:prompts|triggers|queries|positives?|negatives?)\/(.+)\.txt$/.exec(path);
    const query = document.text.replace(/^\uFEFF/, "").trim();
    const skill = match === null ? undefined : skillOf(match[1]!, names, document.file);
    if (skill === undefined || query === "") return null;
    const suite = emptySuite(document.file, promptFile.id);
    const expect = expectation({ skill, shouldTrigger: !saysNo(path) });
    suite.triggers.push(makeTrigger({ id: basename(path, ".txt"), skill, query, expect, source: document.at(0) }));
    return suite;
  },
};

/** `order-status`, `order-status-2`, `order-status-negative` or `order-status/2`. */
function skillOf(name: string, names: Names, file: string): string | undefined {
  const stem = basename(name);
  const bare = stem.replace(/[._-]?\d+$/, "").replace(ending, "");
  for (const part of [stem, bare, ...dirname(name).split("/").reverse()]) {
    const found = names.resolve(part, file);
    if (found !== undefined && "skill" in found) return found.skill.id;
  }
  return undefined;
}

const ending = /[._-](?:positives?|negatives?|pos|neg|(?:should[._-])?(?:not[._-]|no[._-]|non[._-])?triggers?)$/i;

function saysNo(path: string): boolean {
  return path
    .replace(/\.txt$/, "")
    .split("/")
    .some(
      (part) => listLabel(normalKey(part)) === false || /[._-](?:negatives?|neg|(?:not|no|non)[._-]triggers?)(?:[._-]?\d+)?$/i.test(part),
    );
}
