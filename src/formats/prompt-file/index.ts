import { basename, dirname } from "node:path";
import { relativePosix, toPosix } from "../../base/index.ts";
import type { NamesNear } from "../../exam/find/index.ts";
import type { Format } from "../format.ts";
import { expectation } from "../questions/expect.ts";
import { emptySuite, makeTrigger } from "../questions/question.ts";
import { listLabel, normalKey } from "../rows/label-words.ts";

/** A folder of prompts, one per file. The file, or a folder around it, is named after the skill to activate. */
export const promptFile: Format = {
  id: "prompt-file",
  files: (path) => promptPath.test(toPosix(path)),
  recognises: ({ syntax, text }) => syntax === "text" && text.trim() !== "",
  read(document, { names }) {
    const path = relativePosix(names.library.root, document.file);
    const name = promptPath.exec(path)?.[1];
    const query = document.text.replace(/^\uFEFF/, "").trim();
    const skill = name === undefined ? undefined : skillOf(name, names);
    if (skill === undefined) return null;
    const suite = emptySuite(document.file, promptFile.id);
    const expect = expectation({ skill, shouldTrigger: !saysNo(path) });
    suite.triggers.push(makeTrigger({ id: basename(path, ".txt"), skill, query, expect, source: document.at(0) }));
    return suite;
  },
};

const promptPath = /(?:^|\/)(?:prompts|triggers|queries|positives?|negatives?)\/(.+)\.txt$/;

/** `order-status`, `order-status-2`, `order-status-negative` or `order-status/2`. */
function skillOf(name: string, names: NamesNear): string | undefined {
  const stem = basename(name);
  const bare = stem.replace(/(?:[._-]|(?<!\d))\d+$/, "").replace(ending, "");
  for (const part of [stem, bare, ...dirname(name).split("/").reverse()]) {
    const found = names.resolve(part);
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
      (part) =>
        listLabel(normalKey(part)) === false ||
        /[._-](?:negatives?|neg|(?:not|no|non)[._-]triggers?)(?:[._-]?\d+)?$/i.test(part),
    );
}
