import { basename } from "node:path";
import type { NamesNear } from "../../exam/find/index.ts";
import { boolean, type Node, text } from "../documents/index.ts";
import type { Row } from "./collect.ts";
import {
  isExpectedEvent,
  isForbiddenKey,
  isNameOf,
  isPlainYesNo,
  labelWord,
  nameStrength,
  normalKey,
  triggerKey,
} from "./label-words.ts";
import { namesIn, readValue } from "./read-value.ts";

/**
 * Counts a key's values over all rows. `verdicts` are words like "trigger" and "no_fire"; `words` are none, "not x" and
 * maps with a label; `plain` is yes or no, which may answer anything; `strange` are names that no skill has; `odd` is
 * the rest.
 */
interface Tally {
  total: number;
  skills: number;
  verdicts: number;
  words: number;
  plain: number;
  odd: number;
  strange: Set<string>;
}

/**
 * Beside a forbidden skill, `skill` is the expected one (`{ skill: s, not: t }`), wherever the file is.
 * Rows with something to check are cases, though, and their `skill` is the one under test.
 */
export function skillBesideOthers(rows: readonly Row[], names: NamesNear): Set<string> {
  const isLabel =
    !rows.some((row) => hasSureLabel(row) || isFunctional(row)) && rows.some((row) => namesOther(row, names));
  return new Set(isLabel ? ["skill"] : []);
}

function namesOther({ map }: Row, names: NamesNear): boolean {
  const ids = (isWanted: (key: string) => boolean) =>
    map.entries.flatMap(({ key, value }) => (isWanted(normalKey(key)) ? namesIn(value, names).map(names.idOf) : []));
  const [skill] = ids((key) => key === "skill");
  const silent = ids(isForbiddenKey);
  return skill !== undefined && silent.length > 0 && !silent.includes(skill);
}

/**
 * Keys such as `expected` hold a skill in one repository and an answer in another, so their values decide.
 * A category such as "negative", or the skill that a row is filed under, counts only if there is nothing better.
 */
export function ambiguousLabels(rows: readonly Row[], names: NamesNear): Set<string> {
  const tallies = [...tallyKeys(rows, names)];
  const aboutTriggers = /trigger|activat|rout/i.test(basename(names.file));
  const telling = tallies
    .filter(([key, tally]) => !isFallback(key) && tells(key, tally, aboutTriggers))
    .map(([key]) => key);
  if (telling.length > 0 || rows.some(hasSureLabel)) return new Set(telling);
  if (tallies.some(([key, tally]) => isForeignLabel(key, tally))) return new Set();
  return new Set(
    tallies.filter(([key, tally]) => isFallback(key) && tellsAtLeast(key, tally, rows)).map(([key]) => key),
  );
}

/**
 * A label in words we do not know (`expect: keep`, `expect: pass-on`). The skill that a row is filed under then says
 * nothing.
 */
function isForeignLabel(key: string, { total, skills, verdicts, words, plain, odd, strange }: Tally): boolean {
  const known = skills + verdicts + words + plain + odd;
  return (
    /^(?:expect|expects|expected|expectation|label|want|wants)$/.test(key) &&
    known === 0 &&
    isVocabulary(strange.size, total)
  );
}

function isVocabulary(words: number, total: number): boolean {
  return words >= 2 && words <= 4 && total >= 2 * words;
}

function tallyKeys(rows: readonly Row[], names: NamesNear): Map<string, Tally> {
  const tallies = new Map<string, Tally>();
  for (const { map } of rows) {
    for (const entry of map.entries) {
      const key = normalKey(entry.key);
      if (nameStrength(key) !== "loose" && !isFallback(key)) continue;
      const tally = tallies.get(key) ?? {
        total: 0,
        skills: 0,
        verdicts: 0,
        words: 0,
        plain: 0,
        odd: 0,
        strange: new Set<string>(),
      };
      tallies.set(key, tally);
      tally.total++;
      const kind = kindOf(key, entry.value, names);
      if (kind !== undefined) tally[kind]++;
      else tally.strange.add(text(entry.value) ?? "");
    }
  }
  return tallies;
}

function kindOf(key: string, value: Node, names: NamesNear): Exclude<keyof Tally, "total" | "strange"> | undefined {
  if (value.type === "map") {
    if (value.entries.some((entry) => isLabelKey(normalKey(entry.key), entry.value))) return "words";
    const named = value.entries.some(
      (entry) => names.has(entry.key) || (isNameOf(normalKey(entry.key)) && names.has(text(entry.value) ?? "")),
    );
    return named ? "skills" : "odd";
  }
  const { expect, shouldTrigger, nobody, forbidden } = readValue(value, names);
  if (expect !== undefined) return expect.every(names.has) ? "skills" : undefined;
  // "Yes" may be the right answer to the prompt itself, which says nothing about a skill.
  if (shouldTrigger !== undefined)
    return key !== "label" && value.type === "scalar" && isPlainYesNo(value.value) ? "plain" : "verdicts";
  return forbidden.length > 0 || nobody !== undefined ? "words" : "odd";
}

function tells(key: string, { total, skills, verdicts, words, plain, odd }: Tally, aboutTriggers: boolean): boolean {
  if (key.startsWith("expected_")) return (skills > 0 && skills >= total / 2) || verdicts === total;
  if (skills > 0 && odd + (aboutTriggers ? 0 : plain) <= total / 4) return true;
  // Together with words such as "fire", or in a file about triggers, a plain "no" is about the skill.
  const labels = verdicts + words + (verdicts > 0 || aboutTriggers ? plain : 0);
  return labels === total || (verdicts > 0 && labels >= (3 / 4) * total);
}

function tellsAtLeast(key: string, { total, skills, verdicts, plain }: Tally, rows: readonly Row[]): boolean {
  if (isGroup(key)) return verdicts + plain === total && rows.every((row) => isPolar(row, key));
  return skills > 0 && skills >= total / 2 && rows.length > 1 && !rows.some(isFunctional);
}

function isFallback(key: string): boolean {
  return isGroup(key) || key === "skill" || key === "skills";
}

function isGroup(key: string): boolean {
  return /^(?:type|kind|class|category|polarity|bucket)$/.test(key);
}

function isLabelKey(key: string, value: Node): boolean {
  if (triggerKey(key) !== undefined || nameStrength(key) !== undefined) return true;
  return isExpectedEvent(key) && boolean(value) !== undefined;
}

export function hasSureLabel({ map }: Row): boolean {
  return map.entries.some(
    (entry) => triggerKey(normalKey(entry.key)) !== undefined || nameStrength(normalKey(entry.key)) === "sure",
  );
}

/** A row with something to compare an answer with is a case: its `skill` is the one under test, not a label. */
function isFunctional({ map }: Row): boolean {
  const functional =
    /^(?:expectations|assertions|assert|expected_output|expected_behaviou?r|rubric|graders|ground_truth|criteria)$/;
  return map.entries.some((entry) => functional.test(normalKey(entry.key)));
}

function isPolar({ map }: Row, key: string): boolean {
  const value = text(map.entries.find((entry) => normalKey(entry.key) === key)?.value);
  return value === undefined || typeof labelWord(value) === "boolean";
}
