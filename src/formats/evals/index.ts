import { basename } from "node:path";
import { type Document, get, items, type MapNode, type Node, text, texts, word } from "../documents/index.ts";
import type { Format } from "../format.ts";
import { caseOf, idleGraderKeys } from "../questions/cases.ts";
import { idleKeys, isDraft, nativeItems, nativeSkill } from "../questions/native.ts";
import { emptySuite } from "../questions/question.ts";
import { isFineKey, isForbiddenKey, isOwnerKey, nameStrength, normalKey, triggerKey } from "../rows/label-words.ts";
import { readRows } from "../rows/read-rows.ts";
import { suiteProblem } from "../rules.ts";

/**
 * `evals/evals.{json,jsonc,yaml}`, which includes the files of evolve and skill-creator. Items with a label are
 * triggers too.
 */
export const nativeEvals: Format = {
  id: "evals",
  recognises(document) {
    const list = nativeItems(document, "evals");
    return list !== undefined && isEvals(document, list);
  },
  read(document, { names }) {
    const suite = emptySuite(document.file, nativeEvals.id);
    const skill = nativeSkill(document, names, suite.problems);
    suite.skill = skill;
    const models = texts(get(document.root, "models"));
    if (models.length > 0) suite.defaults.models = models;
    for (const item of nativeItems(document, "evals") ?? []) {
      const one = item.type === "map" ? caseOf(item, { document, skill, problems: suite.problems }) : undefined;
      if (one === undefined) {
        suite.problems.push(
          suiteProblem("suite/invalid", {
            message: "This eval has no prompt.",
            fix: "Add `prompt` with what the agent is asked to do.",
            location: document.at(item),
          }),
        );
        continue;
      }
      suite.problems.push(
        ...idleKeys(document, item, new Set([...evalKeys, ...labelKeys(item)])),
        ...items(get(item, "graders")).flatMap((grader) => idleGraderKeys(document, grader)),
      );
      if (one.models.length === 0) one.models = models;
      if (isDraft(document)) one.draft = true;
      suite.cases.push(one);
    }
    const rows = readRows(document, names);
    if (rows !== null) {
      suite.triggers = rows.triggers;
      suite.problems.push(...rows.problems);
      // A row with a label and nothing to check is only a trigger.
      const labelled = new Set(rows.triggers.map((trigger) => `${trigger.source.line}:${trigger.source.column}`));
      suite.cases = suite.cases.filter(
        (one) => one.graders.length > 0 || !labelled.has(`${one.source.line}:${one.source.column}`),
      );
    }
    return suite;
  },
};

// biome-ignore format: a list of words
const evalKeys = new Set([
  "id", "case_id", "prompt", "question", "query", "input", "name", "eval_name", "title", "expected_output", "expectations", "assertions", "expected_behavior", "rubric",
  "graders", "files", "setup", "follow_ups", "follow_up_prompts", "responder", "messages", "tags", "runs", "skip", "skip_providers", "split", "notes", "note", "draft", "max_turns", "timeout_seconds", "models", "should_trigger",
  "skill", "expected_skill", "expect", "category", "kind", "group", "difficulty", "description", "reason",
]);

function isEvals(document: Document, list: { type: string }[]): boolean {
  const maps = list.filter((item): item is MapNode => item.type === "map");
  const known = /^evals\.(?:jsonc?|ya?ml)$/i.test(basename(document.file));
  const asks = (map: MapNode) =>
    text(get(map, "prompt")) !== undefined || (known && text(get(map, "question")) !== undefined);
  const checks = (map: MapNode) =>
    ["expectations", "assertions", "expected_output", "graders", "expected_behavior"].some(
      (key) => get(map, key) !== undefined,
    ) && word(get(map, "results")) === undefined;
  if (maps.length === 0) return known && document.root.type === "map";
  return (
    maps.some(asks) &&
    (maps.some(checks) || (known && get(document.root, "evals") !== undefined && !maps.some(isLabelled)))
  );
}

function isLabelled(map: MapNode): boolean {
  return map.entries.some(
    ({ key }) => triggerKey(normalKey(key)) !== undefined || nameStrength(normalKey(key)) === "sure",
  );
}

function labelKeys(item: Node): string[] {
  const isLabel = (key: string) =>
    triggerKey(key) !== undefined ||
    nameStrength(key) !== undefined ||
    isFineKey(key) ||
    isForbiddenKey(key) ||
    isOwnerKey(key);
  return item.type === "map" ? item.entries.map(({ key }) => key).filter((key) => isLabel(normalKey(key))) : [];
}
