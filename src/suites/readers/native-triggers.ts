import { basename } from "node:path";
import { boolean, type Document, get, isNull, type MapNode, type Node, number, text, texts } from "../documents/index.ts";
import { expectation, type Statement } from "../expect.ts";
import { readFields } from "../fields.ts";
import { isFineKey, isForbiddenKey, labelWord, nameStrength, normalKey } from "../labels.ts";
import { emptySuite, makeTrigger } from "../question.ts";
import { isOutcomeKey } from "../rows/results.ts";
import { suiteProblem } from "../rules.ts";
import type { Suite } from "../suite.ts";
import { expectOf, isDraft, nativeItems, nativeSkill, unknownKeys } from "./native.ts";
import type { ReadContext, Reader } from "./reader.ts";

/** `evals/triggers.{json,jsonc,yaml}`: our own format, of which evolve's and skill-creator's files are a part. */
export const nativeTriggers: Reader = {
  id: "triggers",
  read(document, context) {
    const list = nativeItems(document, "triggers");
    if (list === undefined || !isNative(document, list, context)) return null;
    const suite = emptySuite(document.file, nativeTriggers.id);
    const skill = nativeSkill(document, context.names, suite.problems);
    if (skill !== undefined) suite.skill = skill;
    const runs = number(get(document.root, "runs"));
    if (runs !== undefined && runs >= 1) suite.defaults.runs = Math.floor(runs);
    if (document.root.type === "map") suite.problems.push(...unknownKeys(document, document.root, rootKeys));
    for (const item of list) {
      if (item.type === "map") readTrigger(document, item, suite, context);
      else
        suite.problems.push(
          suiteProblem("suite/invalid", {
            message: "A trigger is a mapping with query and should_trigger.",
            fix: 'Write { "query": …, "should_trigger": true }.',
            location: document.at(item),
          }),
        );
    }
    return suite;
  },
};

const rootKeys = new Set(["skill_name", "skill", "triggers", "draft", "runs", "models", "version", "notes", "comment", "description"]);
const triggerKeys = new Set([
  "query",
  "should_trigger",
  "expect",
  "exclusive",
  "also_fine",
  "files",
  "messages",
  "tags",
  "runs",
  "skip",
  "skip_providers",
  "id",
  "notes",
  "note",
  "split",
  "draft",
  "max_turns",
  "timeout_seconds",
  "skill",
]);

/** Rows in other words (`prompt`, `expected_skill`, …) are for the reader of rows, under whatever name they come. */
function isNative(document: Document, list: Node[], { names }: ReadContext): boolean {
  const maps = list.filter((item): item is MapNode => item.type === "map");
  const known = /^triggers\.(?:jsonc?|ya?ml)$/i.test(basename(document.file));
  if (maps.length === 0) return known && document.root.type === "map" && list.length === 0;
  const isSkill = (name: string) => names.resolve(name, document.file) !== undefined;
  const foreign = (map: MapNode) =>
    speaksOtherwise(map, isSkill) ||
    map.entries.some(
      ({ key }) =>
        !triggerKeys.has(key) &&
        (isOutcomeKey(normalKey(key)) ||
          nameStrength(normalKey(key)) !== undefined ||
          isFineKey(normalKey(key)) ||
          isForbiddenKey(normalKey(key))),
    );
  const typed = (map: MapNode) =>
    text(get(map, "query")) !== undefined && (yesOrNo(get(map, "should_trigger")) !== undefined || get(map, "expect") !== undefined);
  if (maps.some(foreign)) return false;
  return known && get(document.root, "triggers") !== undefined ? maps.some((map) => get(map, "query") !== undefined) : maps.every(typed);
}

/** Ours are `should_trigger: true` and `expect: name`; elsewhere `should_trigger` holds a name, and `expect` yes, no or "neither". */
function speaksOtherwise(map: MapNode, isSkill: (name: string) => boolean): boolean {
  const should = get(map, "should_trigger");
  const expect = get(map, "expect");
  const named = should?.type === "list" || isNull(should) || isSkill(text(should) ?? "");
  const word = text(expect);
  const said = word === undefined || isSkill(word) ? undefined : labelWord(word);
  return (
    named || boolean(expect) !== undefined || expect?.type === "map" || (said !== undefined && !/^(?:none)?$/i.test((word ?? "").trim()))
  );
}

/** `yes` and `no` are words in YAML 1.2, and were booleans before; people still write them. */
function yesOrNo(node: Node | undefined): boolean | undefined {
  const word = labelWord(text(node) ?? "?");
  return boolean(node) ?? (typeof word === "boolean" ? word : undefined);
}

function readTrigger(document: Document, item: MapNode, suite: Suite, { names }: ReadContext): void {
  const query = text(get(item, "query"));
  const reject = (message: string, fix: string) =>
    suite.problems.push(suiteProblem("suite/invalid", { message, fix, location: document.at(item) }));
  if (query === undefined || query.trim() === "") {
    reject("This trigger has no query.", "Add `query` with the prompt, as a user would type it.");
    return;
  }
  const canonical = (name: string) => {
    const found = names.resolve(name, document.file);
    return found !== undefined && "skill" in found ? found.skill.id : name.trim();
  };
  const own = text(get(item, "skill"));
  const skill = own === undefined ? suite.skill : canonical(own);
  const should = yesOrNo(get(item, "should_trigger"));
  const expect = expectOf(get(item, "expect"));
  suite.problems.push(...unknownKeys(document, item, triggerKeys));
  if (should === undefined && expect === undefined) {
    reject(
      "This trigger says neither should_trigger nor expect, so nothing would be checked.",
      "Add `should_trigger: true` or `false`, or `expect` with the skill that should win.",
    );
    return;
  }
  if (should !== undefined && expect === undefined && skill === undefined) {
    reject(
      "Which skill should (not) be activated? The file lies in no skill's folder and has no skill_name.",
      "Move it to evals/<skill>/, or add `skill_name`.",
    );
    return;
  }
  const statement: Statement = {
    alsoFine: texts(get(item, "also_fine")).map(canonical),
    exclusive: boolean(get(item, "exclusive")) === true,
  };
  if (skill !== undefined) statement.skill = skill;
  if (expect !== undefined) statement.expect = expect === "none" ? expect : expect.map(canonical);
  // A row of this skill's suite that somebody else should win is a negative of this skill.
  const loses =
    Array.isArray(statement.expect) && skill !== undefined && !statement.expect.includes(skill) && !statement.alsoFine!.includes(skill);
  if (should !== undefined) statement.shouldTrigger = should;
  else if (loses) statement.shouldTrigger = false;
  const fields = readFields(document, item, suite.problems);
  suite.triggers.push(
    makeTrigger({
      ...fields,
      ...(isDraft(document) ? { draft: true } : {}),
      ...(skill === undefined ? {} : { skill }),
      query,
      expect: expectation(statement),
      source: document.at(item),
    }),
  );
}
