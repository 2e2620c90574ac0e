import { basename } from "node:path";
import { nearest } from "../../base/index.ts";
import type { NamesNear } from "../../exam/find/index.ts";
import type { SkillInvocation, Suite } from "../../model/index.ts";
import {
  boolean,
  type Document,
  get,
  isNull,
  type MapNode,
  type Node,
  plain,
  text,
  texts,
} from "../documents/index.ts";
import type { Format } from "../format.ts";
import { readFields, runsOf } from "../questions/fields.ts";
import { expectOf, isDraft, nativeItems, nativeSkill, unknownKeys } from "../questions/native.ts";
import { nativeExpect } from "../questions/native-expect.ts";
import { emptySuite, makeTrigger } from "../questions/question.ts";
import { isFineKey, isForbiddenKey, labelWord, nameStrength, normalKey } from "../rows/label-words.ts";
import { isOutcomeKey } from "../rows/results.ts";
import { suiteProblem } from "../rules.ts";

/** Our own `evals/triggers.{json,jsonc,yaml}`, which includes the files of evolve and skill-creator. */
export const nativeTriggers: Format = {
  id: "triggers",
  recognises(document, { names }) {
    const list = nativeItems(document, "triggers");
    return list !== undefined && isNative(document, list, names);
  },
  read(document, context) {
    const suite = emptySuite(document.file, nativeTriggers.id);
    suite.skill = nativeSkill(document, context.names, suite.problems);
    suite.defaults.runs = runsOf(document, get(document.root, "runs"), suite.problems);
    suite.problems.push(...unknownKeys(document, document.root, { known: rootKeys, where: "a suite" }));
    for (const item of nativeItems(document, "triggers") ?? []) {
      if (item.type === "map") readTrigger(item, { document, suite, names: context.names });
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

const rootKeys = new Set([
  "skill_name",
  "skill",
  "triggers",
  "draft",
  "runs",
  "models",
  "version",
  "notes",
  "comment",
  "description",
]);
const triggerKeys = new Set([
  "query",
  "should_trigger",
  "expect",
  "exclusive",
  "also_fine",
  "forbid",
  "mode",
  "models",
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

/** Rows with other keys (`prompt`, `expected_skill`, …) are left to the format `rows`, whatever the file is called. */
function isNative(document: Document, list: Node[], names: NamesNear): boolean {
  const maps = list.filter((item): item is MapNode => item.type === "map");
  const known = /^triggers\.(?:jsonc?|ya?ml)$/i.test(basename(document.file));
  if (maps.length === 0) return known && document.root.type === "map" && list.length === 0;
  const foreign = (map: MapNode) =>
    usesOtherWords(map, names) ||
    map.entries.some(
      ({ key }) =>
        !triggerKeys.has(key) &&
        (isOutcomeKey(normalKey(key)) ||
          nameStrength(normalKey(key)) !== undefined ||
          isFineKey(normalKey(key)) ||
          isForbiddenKey(normalKey(key))),
    );
  const typed = (map: MapNode) =>
    text(get(map, "query")) !== undefined &&
    (yesOrNo(get(map, "should_trigger")) !== undefined ||
      ["expect", "forbid"].some((key) => get(map, key) !== undefined));
  if (maps.some(foreign)) return false;
  return known && get(document.root, "triggers") !== undefined
    ? maps.some((map) => get(map, "query") !== undefined)
    : maps.every(typed);
}

/**
 * Our `should_trigger` is a boolean and our `expect` a name. Other tools put a name into the first, and yes, no or
 * "neither" into the second.
 */
function usesOtherWords(map: MapNode, names: NamesNear): boolean {
  const should = get(map, "should_trigger");
  const expect = get(map, "expect");
  const named = should?.type === "list" || isNull(should) || names.has(text(should) ?? "");
  const word = text(expect);
  const meaning = word === undefined || names.has(word) ? undefined : labelWord(word);
  return (
    named ||
    boolean(expect) !== undefined ||
    expect?.type === "map" ||
    (meaning !== undefined && !/^(?:none)?$/i.test((word ?? "").trim()))
  );
}

/** `yes` and `no` are texts in YAML 1.2 but were booleans before, and people still write them. */
function yesOrNo(node: Node | undefined): boolean | undefined {
  const word = labelWord(text(node) ?? "?");
  return boolean(node) ?? (typeof word === "boolean" ? word : undefined);
}

function mistypedLabel(item: MapNode): { entry: MapNode["entries"][number]; meant: string } | undefined {
  for (const entry of item.entries) {
    const [meant] = triggerKeys.has(entry.key) ? [] : nearest(entry.key, LABELS, 1);
    if (meant !== undefined) return { entry, meant };
  }
  return undefined;
}

const LABELS = ["should_trigger", "expect", "forbid"];

function readTrigger(
  item: MapNode,
  { document, suite, names }: { document: Document; suite: Suite; names: NamesNear },
): void {
  const query = text(get(item, "query"));
  const reject = (message: string, fix: string) =>
    suite.problems.push(suiteProblem("suite/invalid", { message, fix, location: document.at(item) }));
  if (query === undefined || query.trim() === "") {
    reject("This trigger has no query.", "Add `query` with the prompt, as a user would type it.");
    return;
  }
  const own = text(get(item, "skill"));
  const skill = own === undefined ? suite.skill : names.idOf(own);
  const should = yesOrNo(get(item, "should_trigger"));
  const expect = expectOf(get(item, "expect"));
  const slip =
    should === undefined && expect === undefined && get(item, "forbid") === undefined ? mistypedLabel(item) : undefined;
  const others = { ...item, entries: item.entries.filter((entry) => entry !== slip?.entry) };
  suite.problems.push(...unknownKeys(document, others, { known: triggerKeys }));
  if (slip !== undefined) {
    const message = `"${slip.entry.key}" is not a field of a question, so nothing would be checked.`;
    const fix = `Did you mean \`${slip.meant}\`?`;
    suite.problems.push(suiteProblem("suite/invalid", { message, fix, location: document.at(slip.entry.start) }));
    return;
  }
  const forbid = get(item, "forbid") === undefined ? undefined : texts(get(item, "forbid")).map(names.idOf);
  const mode = modeOf(document, get(item, "mode"), suite);
  if (should === undefined && expect === undefined && forbid === undefined) {
    reject(
      "This trigger has neither should_trigger nor expect nor forbid, so nothing would be checked.",
      "Add `should_trigger: true` or `false`, or `expect` with the skill that should win.",
    );
    return;
  }
  if (should !== undefined && expect === undefined && skill === undefined) {
    reject(
      "It is not clear which skill should (not) be activated: the file is in no skill's folder and has no skill_name.",
      "Move it to evals/<skill>/, or add `skill_name`.",
    );
    return;
  }
  const fields = readFields(document, item, suite.problems);
  const models = texts(get(item, "models") ?? get(document.root, "models"));
  suite.triggers.push(
    makeTrigger({
      ...fields,
      draft: isDraft(document) || fields.draft,
      skill,
      query,
      expect: nativeExpect({
        skill,
        should,
        expect: expect === "none" ? "none" : expect?.map(names.idOf),
        forbid,
        alsoFine: texts(get(item, "also_fine")).map(names.idOf),
        exclusive: boolean(get(item, "exclusive")) === true,
        mode,
      }),
      models: models.length > 0 ? models : undefined,
      source: document.at(item),
    }),
  );
}

function modeOf(document: Document, node: Node | undefined, suite: Suite): SkillInvocation["mode"] | undefined {
  const mode = text(node);
  if (node === undefined) return undefined;
  if (mode === "any_order" || mode === "in_order" || mode === "exact_match") return mode;
  suite.problems.push(
    suiteProblem("suite/invalid", {
      message: `mode is any_order, in_order or exact_match, not ${JSON.stringify(plain(node))}.`,
      fix: "Correct it, or delete it: the default is any_order.",
      location: document.at(node),
    }),
  );
  return undefined;
}
