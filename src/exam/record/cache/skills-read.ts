import { countedActivations, type Transcript } from "../../../model/index.ts";
import type { CachedSkill } from "./cache.ts";

/**
 * Skills whose files an answer may depend on: activated ones, and those whose folder a tool call names, since a
 * reference file can be read without its SKILL.md. A call that searches may have read any of them.
 */
export function skillsReadIn({ activations, calls }: Transcript, skills: readonly CachedSkill[]): string[] {
  const read = new Set(
    countedActivations(activations)
      .filter(({ evidence }) => evidence !== "predicted")
      .map(({ skill }) => skill),
  );
  const texts = calls.map(({ tool, input, result }) => ({
    tool,
    asked: JSON.stringify(input) ?? "",
    told: result ?? "",
  }));
  if (texts.some(({ tool, asked }) => SEARCHERS.test(tool) || SEARCHES.test(asked))) return skills.map(({ id }) => id);
  const named = new Set(
    texts.flatMap(({ asked, told }) => [...`${asked}\n${told}`.matchAll(PART_OF_A_PATH)].map(([part]) => part)),
  );
  for (const { id, folder } of skills) if (named.has(folder)) read.add(id);
  return [...read];
}

const SEARCHERS = /grep|glob|search|find/i;
const SEARCHES = /\/\*|\*[/.]|\b(?:find|grep|rg|ag|tree|xargs)\s|\bfor\s+\w+\s+in\s|\s-[a-zA-Z]*[rR]\b/;
const PART_OF_A_PATH = /[^\s"'`/\\:;,()|<>]+(?=[/\\])|(?<=[/\\])[^\s"'`/\\:;,()|<>]+/g;
