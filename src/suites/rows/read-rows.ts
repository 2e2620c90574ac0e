import { basename, relative } from "node:path";
import type { Problem } from "../../base/index.ts";
import type { Document } from "../documents/index.ts";
import { expectation } from "../expect.ts";
import { readFields } from "../fields.ts";
import { listLabel, normalKey } from "../labels.ts";
import type { Names } from "../names.ts";
import { makeTrigger } from "../question.ts";
import { suiteProblem } from "../rules.ts";
import type { Trigger } from "../suite.ts";
import { collectRows, type Row } from "./collect.ts";
import { listen, type Said, state } from "./decide.ts";
import { nameLike } from "./hear.ts";
import { hasSureLabel, looseLabels } from "./loose.ts";
import { areResults, holdsResults, isTranscript } from "./results.ts";

export interface RowsRead {
  triggers: Trigger[];
  problems: Problem[];
  /** Rows with a prompt and no label: functional questions, or an oversight. */
  unlabelled: Row[];
}

/** Every prompt of a document that carries a label, whatever the wrapper, the keys and the words. Null where there is none. */
export function readRows(document: Document, names: Names, defaults: { label?: boolean } = {}): RowsRead | null {
  const { file } = document;
  const place = names.owner(file);
  if (holdsResults(file, names)) return null;
  const fileLabel = listLabel(normalKey(basename(file).replace(/\.[^.]+$/, "")));
  const rows = collectRows(document.root, names, file, fileLabel !== undefined);
  if (rows.length === 0 || areResults(rows) || isTranscript(rows)) return null;
  // A skill called prompt-doctor says nothing about the files in it.
  const inside = relative(place?.folder ?? names.library.root, file);
  if (place?.by === "inside" && shipped.test(inside) && !namedForTriggers.test(basename(file)) && !rows.some(hasSureLabel)) return null;
  const hinted = placeHint.test(inside);
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
  const leads =
    place !== undefined &&
    leading(
      heard.map(({ said }) => said),
      place.id,
    );
  // A file of routes that merely lies where one skill is the only one, or above the others, is about all of them.
  const routes = heard.some(({ said }) => said.expect !== undefined && said.bool === undefined);
  const byPlace =
    place === undefined || (routes && (place.by === "only" || place.by === "around"))
      ? undefined
      : { name: place.id, explicit: false, leads };
  const tested = (row: Row) => row.tested.filter((name) => names.resolve(name, file) !== undefined).map(canonical);
  const owners = heard.map(({ row, said }) => ownerOf(row, said, canonical, names, file) ?? byPlace);
  const context = {
    underTest: new Set(heard.flatMap(({ said }) => (said.bool === true ? (said.expect ?? []) : []))),
    nameless: heard.some(
      ({ row, said }, index) => owners[index] === undefined && said.expect === undefined && (said.bool ?? row.label) === true,
    ),
  };

  const read: RowsRead = { triggers: [], problems: [], unlabelled: [] };
  for (const [index, { row, said }] of heard.entries()) {
    const owner = owners[index];
    const labelled = isLabelled(row, said);
    if (!labelled && absent === undefined) {
      read.unlabelled.push(row);
      continue;
    }
    const statement = state(labelled ? said : { ...said, bool: absent! }, { ...row, tested: tested(row) }, owner, context);
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

/** Folders of a skill that hold what it works with. */
const shipped = /^(?:assets|references?|resources|templates|scripts|docs|data|config|settings)[\\/]/i;
const namedForTriggers = /trigger|activat|routing/i;

/** Is this the skill's own suite, by whom its rows expect? A router's suite expects everybody else. A plain yes or no is about the skill itself. */
function leading(said: Said[], skill: string): boolean {
  const named = said.filter(({ expect, bool }) => expect !== undefined || bool !== undefined);
  const own = named.filter(({ expect }) => expect?.includes(skill) ?? true).length;
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

function notUnderstood(document: Document, row: Row, why: string): Problem {
  return suiteProblem("suite/not-understood", {
    location: document.at(row.at),
    message: `This question is not read: ${why}.`,
    fix: "Say which skill it is about (`skill`), or who should be activated (`expect`).",
  });
}
