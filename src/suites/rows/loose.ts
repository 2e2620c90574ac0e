import { type Node, text } from "../documents/index.ts";
import { isPlainYesNo, labelWord, nameStrength, normalKey, triggerKey } from "../labels.ts";
import type { Names } from "../names.ts";
import type { Row } from "./collect.ts";
import { hear } from "./decide.ts";

/** What the values of one key are, over all rows. */
interface Tally {
  total: number;
  skills: number;
  /** "trigger", "no_fire", none, null, or a map that holds a label. */
  words: number;
  /** Anything else but a name; names that no skill has are none of these. */
  odd: number;
}

/**
 * Keys such as `expected` hold a skill in one repository and an answer in the next: they are labels where their values show it.
 * A category called "negative", or the skill a row is filed under, is one only where nothing better is there.
 */
export function looseLabels(rows: readonly Row[], names: Names, file: string): Set<string> {
  const tallies = [...tallyKeys(rows, names, file)];
  const telling = tallies.filter(([key, tally]) => !isFallback(key) && tells(key, tally)).map(([key]) => key);
  if (telling.length > 0 || rows.some(hasSureLabel)) return new Set(telling);
  return new Set(tallies.filter(([key, tally]) => isFallback(key) && tellsAtLeast(key, tally, rows)).map(([key]) => key));
}

function tallyKeys(rows: readonly Row[], names: Names, file: string): Map<string, Tally> {
  const tallies = new Map<string, Tally>();
  for (const { map } of rows) {
    for (const entry of map.entries) {
      const key = normalKey(entry.key);
      if (nameStrength(key) !== "loose" && !isFallback(key)) continue;
      const tally = tallies.get(key) ?? { total: 0, skills: 0, words: 0, odd: 0 };
      tallies.set(key, tally);
      tally.total++;
      const kind = kindOf(key, entry.value, names, file);
      if (kind !== undefined) tally[kind]++;
    }
  }
  return tallies;
}

function kindOf(key: string, value: Node, names: Names, file: string): "skills" | "words" | "odd" | undefined {
  if (value.type === "map") return value.entries.some((entry) => isLabelKey(normalKey(entry.key))) ? "words" : "odd";
  const heard = hear(value, names, file);
  if (heard.names.length > 0) return heard.names.every((name) => names.resolve(name, file) !== undefined) ? "skills" : undefined;
  // The right answer to many a question is "yes"; that says nothing about a skill.
  if (key !== "label" && typeof heard.word === "boolean" && value.type === "scalar" && isPlainYesNo(value.value)) return "odd";
  return heard.not.length > 0 || heard.word !== undefined ? "words" : "odd";
}

function tells(key: string, { total, skills, words, odd }: Tally): boolean {
  if (/^expected_|^result$|^outcome$/.test(key)) return skills > 0 && skills >= total / 2;
  return (skills > 0 && odd <= total / 4) || words === total;
}

function tellsAtLeast(key: string, { total, skills, words }: Tally, rows: readonly Row[]): boolean {
  if (isGroup(key)) return words === total && rows.every((row) => isPolar(row, key));
  return skills > 0 && skills >= total / 2 && !rows.some(isFunctional);
}

function isFallback(key: string): boolean {
  return isGroup(key) || key === "skill" || key === "skills";
}

function isGroup(key: string): boolean {
  return /^(?:type|kind|class|category|polarity|bucket)$/.test(key);
}

function isLabelKey(key: string): boolean {
  return triggerKey(key) !== undefined || nameStrength(key) !== undefined;
}

function hasSureLabel({ map }: Row): boolean {
  return map.entries.some((entry) => triggerKey(normalKey(entry.key)) !== undefined || nameStrength(normalKey(entry.key)) === "sure");
}

/** A row with something to hold against an answer is a case: the skill it names is the one under test, not a label. */
function isFunctional({ map }: Row): boolean {
  const functional = /^(?:expectations|assertions|assert|expected_output|expected_behaviou?r|rubric|graders|ground_truth|criteria)$/;
  return map.entries.some((entry) => functional.test(normalKey(entry.key)));
}

function isPolar({ map }: Row, key: string): boolean {
  const value = text(map.entries.find((entry) => normalKey(entry.key) === key)?.value);
  return value === undefined || typeof labelWord(value) === "boolean";
}
