/** The words people use for labels. The same key has different types in different files, so values decide, not keys. */

import { remember } from "../../base/index.ts";

export const normalKey = remember((key) =>
  key
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .replaceAll(/[’']/g, "")
    .replaceAll(/[^\p{L}\p{N}]+/gu, "_")
    .replace(/^_+|_+$/g, ""),
);

/** Most telling first: a row with `query` and `task` is asked its query. */
// biome-ignore format: a list of words
const queryKeys = [
  "query", "prompt", "user_prompt", "user_query", "user_message", "user_input", "utterance", "question", "request", "user_request", "phrase",
  "input", "inputs", "message", "task", "ask", "instruction", "user", "text", "example", "sentence", "q", "vars",
];
const queryEnding = /_(?:prompt|query|utterance|phrase|question|request|message)$/;

export function queryRank(key: string): number {
  const rank = queryKeys.indexOf(key);
  return rank !== -1 ? rank : queryEnding.test(key) ? queryKeys.length : -1;
}

const verbs =
  "(?:trigger(?:s|ed|ing)?|activat(?:e|es|ed|ion)|fires?|fired|match(?:es|ed)?|invo(?:ke|kes|ked|cation)|loads?|loaded|select(?:ed)?|use|used|apply|applies|call|called|run|route)";
const shouldKey = new RegExp(
  `^(?:skill_)?(?:should|expects?|expected|must|will|want|wants)_(?:to_)?(?:be_)?(?:skill_)?${verbs}(?:_skill)?$`,
);
const shouldNotKey = new RegExp(
  `^(?:skill_)?(?:(?:should|must|will|do|does|can)_?n(?:o)?t|never|not|no|dont|doesnt|shouldnt|mustnt)_(?:be_)?(?:skill_)?${verbs}(?:_skill)?$`,
);
const plainLabels = new Set([
  "trigger",
  "triggers",
  "activates",
  "activate",
  "fires",
  "positive",
  "is_positive",
  "is_trigger",
  "in_scope",
  "skill_trigger",
]);
const plainNegations = new Set(["negative", "is_negative", "out_of_scope", "near_miss"]);

/** Whether a key says that the skill under test should be activated (true) or should not (false). */
export function triggerKey(key: string): boolean | undefined {
  if (shouldNotKey.test(key) || plainNegations.has(key)) return false;
  return shouldKey.test(key) || plainLabels.has(key) ? true : undefined;
}

const eventKey = new RegExp(`^(?:skill_)?${verbs}$`);

/** `triggered` says what happened, but inside `expected: { … }` what should happen. */
export function isExpectedEvent(key: string): boolean {
  return eventKey.test(key);
}

export function isNameOf(key: string): boolean {
  return /^(?:primary|name|id)$/.test(key);
}

const nameKey =
  /^(?:(?:expect|expects|expected|correct|intended|gold|golden|ideal|desired|primary|right|best|wanted|want|winning|target|should_(?:route_to|use|select)|route_to|routes_to|routed_to)_(?:skills?|owners?|skill_names?|skill_ids?|route|winner)|skills?_expected|expected_skills?|expected_owner|should_route_to|route_to|routes_to|routed_to|winner)$/;
/** May hold anything: it is a label only if its values are skills, "none", or words for yes and no. */
const looseKey =
  /^(?:expect|expects|expected|expectation|correct|answer|target|label|want|wants|route|owner|gold|should_win|expected_\w+|skills?)$/;

export function nameStrength(key: string): "sure" | "loose" | undefined {
  if (nameKey.test(key)) return "sure";
  return looseKey.test(key) ? "loose" : undefined;
}

const forbiddenKey =
  /^(?:(?:expected_not|not_expected|unexpected|forbidden|forbid|forbids|disallowed|distractor|distractors|excluded|excludes|wrong|incorrect|prohibited|avoid|not)(?:_skills?)?|(?:should_not|shouldnt|must_not|do_not|not)_(?:trigger|activate|fire|use|route_to|invoke|select|load|match|win)(?:_skills?)?|must_not|should_not)$/;
const fineKey =
  /^(?:acceptable|also_fine|also_acceptable|also_ok|also_accept|accept|accepted|alternatives?|alternate|allowed|tolerated)(?:_skills?)?$/;
const ownerKey =
  /^(?:skill|skill_name|skill_id|skill_slug|skillname|skill_under_test|tested_skill|for_skill|target_skill|skill_path|skill_dir|skill_file)$/;
const testedKey =
  /^(?:skills_tested|tested_skills|skill_pair|pair|skills_under_test|candidates|candidate_skills|options|choices)$/;

export function isForbiddenKey(key: string): boolean {
  return forbiddenKey.test(key);
}

export function isFineKey(key: string): boolean {
  return fineKey.test(key);
}

export function isOwnerKey(key: string): boolean {
  return ownerKey.test(key);
}

export function isTestedKey(key: string): boolean {
  return testedKey.test(key);
}

const listEnd =
  "(?:_(?:prompts?|queries|query|cases?|examples?|phrases?|tests?|utterances?|inputs?|requests?|evals?|samples?|list))?";
const positiveList = new RegExp(
  `^(?:(?:skill_)?(?:should|must|will|does|do)_(?:be_)?${verbs}|positives?|true_positives?|positive_triggers?|in_scope|should|matches|triggers_on|trigger_on|activates_on)${listEnd}(?:_on|_for)?$|^trigger_(?:prompts|queries|phrases|examples|utterances)$`,
);
const negativeList = new RegExp(
  `^(?:(?:skill_)?(?:(?:should|must|will|do|does)_?n(?:o)?t|never|not|no|dont|doesnt|shouldnt|mustnt|non)_(?:be_)?(?:${verbs})|(?:should|must)_not|negatives?|true_negatives?|negative_triggers?|anti_triggers?|non_triggers?|out_of_scope|near_miss(?:es)?|not_for|hard_negatives?|easy_negatives?|none|no_skills?|unrelated|off_topic|irrelevant)${listEnd}(?:_on|_for)?$`,
);

export function listLabel(key: string): boolean | undefined {
  if (negativeList.test(key)) return false;
  return positiveList.test(key) ? true : undefined;
}

export function splitOf(key: string): string | undefined {
  return /^(?:train|training|val|valid|validation|test|dev|holdout|held_out|eval)$/.test(key) ? key : undefined;
}

const sayVerb =
  "(?:trigger(?:s|ed|ing)?|activat(?:e|es|ed|ion)|fires?|fired|match(?:es|ed)?|invo(?:ke|kes|ked|cation)|loads?|loaded|use|used|rout(?:e|es|ed)|select(?:s|ed)?|choose|chosen)";
const yes = new RegExp(
  `^(?:true|yes|y|1|(?:(?:should|must|will|does)_(?:be_)?)?${sayVerb}(?:_skill)?|positive|pos|in_scope|hit|✅|✓|✔|☑)$`,
);
const no = new RegExp(
  `^(?:false|no|n|0|(?:(?:(?:should|must|will|do|does)_)?(?:not|no|never)|non|dont|doesnt|shouldnt|mustnt|wont)_(?:be_)?${sayVerb}(?:_skill)?|negative|neg|skip|ignore|silent|stay_silent|out_of_scope|near_miss|miss|❌|✗|✘|☒)$`,
);
const nobody = new Set([
  "",
  "none",
  "null",
  "nil",
  "na",
  "n_a",
  "nothing",
  "no_skill",
  "no_skills",
  "neither",
  "nobody",
  "no_one",
  "none_of_them",
  "no_route",
  "undefined",
  "-",
  "—",
  "∅",
]);

const vague = new Set([
  "any",
  "either",
  "multiple",
  "several",
  "ambiguous",
  "unknown",
  "other",
  "others",
  "depends",
  "clarify",
  "ask",
  "maybe",
  "optional",
  "both",
  "all",
  "tbd",
  "unclear",
  "variable",
]);

export function isVague(value: string): boolean {
  return vague.has(normalKey(value));
}

/** Words that may answer anything, not only whether a skill should fire: a mood is positive, too. */
export function isPlainYesNo(value: string | number | boolean | null): boolean {
  return (
    typeof value === "number" ||
    (typeof value === "string" &&
      /^(?:yes|no|y|n|true|false|[01]|hit|miss|use|load|match|matches|skip|ignore|pos|neg|positive|negative)$/i.test(
        value.trim(),
      ))
  );
}

export function labelWord(value: string): boolean | "none" | undefined {
  const word = normalKey(value) || value.trim();
  if (nobody.has(word)) return "none";
  return yes.test(word) ? true : no.test(word) ? false : undefined;
}
