import { basename, relative } from "node:path";
import type { Problem } from "../../base/index.ts";
import { type Document, isNull, text } from "../documents/index.ts";
import { expectation } from "../expect.ts";
import { readFields } from "../fields.ts";
import { labelWord, listLabel, nameStrength, normalKey, triggerKey } from "../labels.ts";
import type { Names } from "../names.ts";
import { makeTrigger } from "../question.ts";
import { suiteProblem } from "../rules.ts";
import type { Trigger } from "../suite.ts";
import { collectRows, type Row } from "./collect.ts";
import { hear, listen, nameLike, type Said, state } from "./decide.ts";

export interface RowsRead {
  triggers: Trigger[];
  problems: Problem[];
  /** Rows with a prompt and no label: functional questions, or an oversight. */
  unlabelled: Row[];
}

/** Every prompt of a document that carries a label, whatever the wrapper, the keys and the words. Null where there is none. */
export function readRows(document: Document, names: Names, defaults: { label?: boolean } = {}): RowsRead | null {
  const { file } = document;
  const fileLabel = listLabel(normalKey(basename(file).replace(/\.[^.]+$/, "")));
  const rows = collectRows(document.root, names, file, fileLabel !== undefined);
  if (rows.length === 0 || areResults(rows)) return null;
  const hinted = placeHint.test(relative(names.library.root, file));
  const loose = looseLabels(rows, names, file, hinted);
  const canonical = (name: string) => {
    const found = names.resolve(name, file);
    return found !== undefined && "skill" in found ? found.skill.id : name.trim().replace(/^[/$@]+/, "");
  };
  const heard = rows.map((row) => ({ row, said: canonicalSaid(listen(row, names, file, loose), canonical) }));
  const absent = heard.some(({ row }) => row.map.entries.some((entry) => normalKey(entry.key) === "expect_activation"))
    ? true
    : (defaults.label ?? fileLabel);
  const place = names.owner(file);
  const leads =
    place !== undefined &&
    leading(
      heard.map(({ said }) => said),
      place.id,
    );

  const context = {
    tested: (row: Row) => row.tested.filter((name) => names.resolve(name, file) !== undefined).map(canonical),
    underTest: new Set(heard.flatMap(({ said }) => (said.bool === true ? (said.expect ?? []) : []))),
  };

  const read: RowsRead = { triggers: [], problems: [], unlabelled: [] };
  for (const { row, said } of heard) {
    const owner =
      ownerOf(row, said, canonical, names, file) ?? (place === undefined ? undefined : { name: place.id, explicit: false, leads });
    const labelled = isLabelled(row, said);
    if (!labelled && absent === undefined) {
      read.unlabelled.push(row);
      continue;
    }
    const statement = state(
      labelled ? said : { ...said, bool: absent! },
      { ...row, tested: context.tested(row) },
      owner,
      context.underTest,
    );
    if ("unclear" in statement) {
      read.problems.push(notUnderstood(document, row, statement.unclear));
      continue;
    }
    read.triggers.push(triggerOf(document, row, expectation(statement), owner?.name, read.problems));
  }
  if (read.triggers.length === 0 && !(hinted && heard.some(({ row, said }) => isLabelled(row, said)))) return null;
  return read;
}

function isLabelled(row: Row, said: Said): boolean {
  return (
    row.label !== undefined || said.bool !== undefined || said.expect !== undefined || said.none !== undefined || said.forbidden.length > 0
  );
}

function triggerOf(document: Document, row: Row, expect: Trigger["expect"], skill: string | undefined, problems: Problem[]): Trigger {
  const fields = readFields(document, row.map, problems);
  const split = fields.split ?? row.split;
  const messages = fields.messages.at(-1)?.content === row.query ? fields.messages.slice(0, -1) : fields.messages;
  return makeTrigger({
    ...fields,
    messages,
    ...(split === undefined ? {} : { split }),
    ...(skill === undefined ? {} : { skill }),
    query: row.query,
    expect,
    source: document.at(row.at),
  });
}

function ownerOf(
  row: Row,
  said: Said,
  canonical: (name: string) => string,
  names: Names,
  file: string,
): { name: string; explicit: boolean; leads: boolean } | undefined {
  if (row.owner === undefined) return undefined;
  // `skill` alone is the label, not the skill under test.
  if (said.expect?.length === 1 && said.expect[0] === canonical(row.owner) && said.bool === undefined && row.label === undefined)
    return undefined;
  if (names.resolve(row.owner, file) === undefined && !nameLike(row.owner)) return undefined;
  return { name: canonical(row.owner), explicit: true, leads: true };
}

/** Keys such as `expected` hold a skill in one repository and an answer in the next: they are labels where their values show it. */
function looseLabels(rows: Row[], names: Names, file: string, hinted: boolean): Set<string> {
  // Outside of the places where people keep such files, `{ text, label: "Status" }` is a form, even if a skill is called status.
  if (!hinted) return new Set();
  const values = new Map<string, { total: number; skills: number; words: number; odd: number }>();
  for (const row of rows) {
    for (const entry of row.map.entries) {
      const key = normalKey(entry.key);
      if (nameStrength(key) !== "loose" && !lastResort.test(key)) continue;
      const count = values.get(key) ?? { total: 0, skills: 0, words: 0, odd: 0 };
      values.set(key, count);
      count.total++;
      if (entry.value.type === "map") {
        if (
          entry.value.entries.some(
            (inner) => triggerKey(normalKey(inner.key)) !== undefined || nameStrength(normalKey(inner.key)) !== undefined,
          )
        )
          count.words++;
        else count.odd++;
        continue;
      }
      const heard = hear(entry.value, names, file);
      if (heard.names.length > 0 && heard.names.every((name) => names.resolve(name, file) !== undefined)) count.skills++;
      else if (heard.not.length > 0 || heard.word !== undefined || isNull(entry.value)) count.words++;
      else if (heard.names.length === 0) count.odd++;
    }
  }
  const loose = new Set<string>();
  const sure = rows.some((row) =>
    row.map.entries.some((entry) => triggerKey(normalKey(entry.key)) !== undefined || nameStrength(normalKey(entry.key)) === "sure"),
  );
  for (const [key, { total, skills, words, odd }] of values) {
    if (lastResort.test(key) || key === "skill" || key === "skills") {
      // A category called "negative", or the skill a row is filed under, is a label only where nothing better is there.
      if (
        !sure &&
        (lastResort.test(key) ? words === total && polar(rows, key) : skills > 0 && skills >= total / 2 && !rows.some(isFunctional))
      )
        loose.add(key);
    } else if (
      /^expected_|^result$|^outcome$/.test(key)
        ? skills > 0 && skills >= total / 2
        : (skills > 0 && odd <= total / 4) || (words === total && total > 0)
    )
      loose.add(key);
  }
  if ([...loose].some((key) => !lastResort.test(key) && key !== "skill" && key !== "skills"))
    for (const key of loose) if (lastResort.test(key) || key === "skill" || key === "skills") loose.delete(key);
  return loose;
}

const placeHint =
  /eval|test|trigger|rout|activat|bench|dataset|case|prompt|quer|corpus|gold|scenario|fixture|example|negative|positive|boundar/i;
const lastResort = /^(?:type|kind|class|category|polarity|bucket)$/;

/** A row with something to hold against an answer is a case: the skill it names is the one under test, not a label. */
function isFunctional(row: Row): boolean {
  return row.map.entries.some((entry) =>
    /^(?:expectations|assertions|assert|expected_output|expected_behaviou?r|rubric|graders|ground_truth|criteria)$/.test(
      normalKey(entry.key),
    ),
  );
}

function polar(rows: Row[], key: string): boolean {
  return rows.every((row) => {
    const value = row.map.entries.find((entry) => normalKey(entry.key) === key)?.value;
    const word = value === undefined ? undefined : text(value);
    return word === undefined || typeof labelWord(word) === "boolean";
  });
}

/** Is this the skill's own suite, by whom its rows expect? A router's suite expects everybody else. */
function leading(said: Said[], skill: string): boolean {
  const named = said.filter(({ expect }) => expect !== undefined);
  const own = named.filter(({ expect }) => expect!.includes(skill)).length;
  return own > 0 && own * 4 >= named.length;
}

function canonicalSaid(said: Said, canonical: (name: string) => string): Said {
  return {
    ...said,
    ...(said.expect === undefined ? {} : { expect: said.expect.map(canonical) }),
    forbidden: said.forbidden.map(canonical),
    alsoFine: said.alsoFine.map(canonical),
  };
}

const outcomes =
  /^(?:hits|trigger_rate|triggered|did_trigger|passed|pass|actual|actual_skills?|actual_trigger|predicted|predicted_skills?|fired|fired_skills?|selected_skill|avg_run_seconds|was_triggered)$/;

/** Results repeat the questions they answer; they are not a suite. */
function areResults(rows: Row[]): boolean {
  const answered = rows.filter(
    (row) =>
      row.map.entries.some((entry) => outcomes.test(normalKey(entry.key))) &&
      row.map.entries.some((entry) => triggerKey(normalKey(entry.key)) !== undefined || nameStrength(normalKey(entry.key)) !== undefined),
  );
  return answered.length > rows.length / 2;
}

function notUnderstood(document: Document, row: Row, why: string): Problem {
  return suiteProblem("suite/not-understood", {
    location: document.at(row.at),
    message: `This question is not read: ${why}.`,
    fix: "Say which skill it is about (`skill`), or who should be activated (`expect`).",
  });
}
