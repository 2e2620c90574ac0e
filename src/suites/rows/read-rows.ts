import { basename, relative } from "node:path";
import type { Problem } from "../../base/index.ts";
import type { Document } from "../documents/index.ts";
import { expectation } from "../expect.ts";
import { readFields } from "../fields.ts";
import { listLabel, nameStrength, normalKey, triggerKey } from "../labels.ts";
import type { Names } from "../names.ts";
import { makeTrigger } from "../question.ts";
import { suiteProblem } from "../rules.ts";
import type { Trigger } from "../suite.ts";
import { collectRows, type Row } from "./collect.ts";
import { listen, nameLike, type Said, state } from "./decide.ts";
import { looseLabels } from "./loose.ts";

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
  // Outside of the places where people keep such files, `{ text, label: "Status" }` is a form, even if a skill is called status.
  const loose = hinted ? looseLabels(rows, names, file) : new Set<string>();
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

const placeHint =
  /eval|test|trigger|rout|activat|bench|dataset|case|prompt|quer|corpus|gold|scenario|fixture|example|negative|positive|boundar/i;

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
