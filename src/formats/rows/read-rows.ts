import { basename, relative } from "node:path";
import type { Problem } from "../../base/index.ts";
import type { NamesNear, Owner } from "../../exam/find/index.ts";
import type { Trigger } from "../../model/index.ts";
import type { Document } from "../documents/index.ts";
import { expectation, type Label } from "../questions/expect.ts";
import { readFields } from "../questions/fields.ts";
import { makeTrigger } from "../questions/question.ts";
import { suiteProblem } from "../rules.ts";
import { ambiguousLabels, hasSureLabel, skillBesideOthers } from "./ambiguous-keys.ts";
import { collectRows, type Row } from "./collect.ts";
import { listLabel, normalKey } from "./label-words.ts";
import { readLabel } from "./read-label.ts";
import { isNameLike } from "./read-value.ts";
import { type FileFacts, type RowOwner, settleLabel } from "./resolve-label.ts";
import { areResults, isTranscript } from "./results.ts";

export interface RowsRead {
  triggers: Trigger[];
  problems: Problem[];
  unlabelled: Row[];
}

export function readRows(document: Document, names: NamesNear, defaults: { label?: boolean } = {}): RowsRead | null {
  const fileLabel = listLabel(normalKey(basename(document.file).replace(/\.[^.]+$/, "")));
  const rows = collectRows(document.root, names, fileLabel !== undefined);
  if (rows.length === 0 || areResults(rows) || isTranscript(rows)) return null;
  const place = names.owner();
  // Only the path inside a skill's folder counts: a skill called prompt-doctor does not make its files prompts.
  const inside = relative(place?.folder ?? names.library.root, document.file);
  if (
    place?.by === "inside" &&
    shipped.test(inside) &&
    !namedForTriggers.test(basename(inside)) &&
    !rows.some(hasSureLabel)
  )
    return null;
  const hinted = placeHint.test(inside);
  // In other places, `{ text, label: "Status" }` is a form, even if a skill is called status.
  const telling = hinted ? ambiguousLabels(rows, names) : new Set<string>();
  const ambiguous = telling.size > 0 ? telling : skillBesideOthers(rows, names);
  const labelled = rows.map((row) => ({ row, label: readLabel(row, names, ambiguous) }));
  const byPlace = ownerByPlace(
    place,
    labelled.map(({ label }) => label),
  );
  const owned = labelled.map(({ row, label }) => ({ row, label, owner: ownerOf(row, label, names) ?? byPlace }));
  const facts = factsOf(owned);
  const otherwise = rows.some(mayExpectActivation) ? true : (defaults.label ?? fileLabel);

  const read: RowsRead = { triggers: [], problems: [], unlabelled: [] };
  for (const { row, label, owner } of owned) {
    if (!isLabelled(row, label) && otherwise === undefined) {
      read.unlabelled.push(row);
      continue;
    }
    const own = isLabelled(row, label) ? label : { ...label, shouldTrigger: otherwise };
    const tested = row.tested.filter(names.has).map(names.idOf);
    const settled = settleLabel(own, { row: { ...row, tested }, owner, facts });
    if ("unclear" in settled) read.problems.push(notUnderstood(document, row, settled.unclear));
    else {
      const parts = { document, label: settled, skill: owner?.id, problems: read.problems };
      read.triggers.push(triggerOf(row, parts));
    }
  }
  const isSuite = read.triggers.length > 0 || (hinted && labelled.some(({ row, label }) => isLabelled(row, label)));
  return isSuite ? read : null;
}

const placeHint =
  /eval|test|trigger|rout|activat|bench|dataset|case|prompt|quer|corpus|gold|scenario|fixture|example|negative|positive|boundar/i;

const shipped = /^(?:assets|references?|resources|templates|scripts|docs|data|config|settings)[\\/]/i;
const namedForTriggers = /trigger|activat|routing/i;

function ownerByPlace(place: Owner | undefined, labels: Label[]): RowOwner | undefined {
  if (place === undefined) return undefined;
  // Routes in a file that is merely near one skill, or in a folder around the others, are about all skills.
  const routes = labels.some(({ expect, shouldTrigger }) => expect !== undefined && shouldTrigger === undefined);
  if (routes && (place.by === "only" || place.by === "around")) return undefined;
  return { id: place.id, leads: isOwnSuite(place.id, labels) };
}

/** A router's suite expects other skills. A plain yes or no is about the skill itself. */
function isOwnSuite(skill: string, labels: Label[]): boolean {
  const named = labels.filter(({ expect, shouldTrigger }) => expect !== undefined || shouldTrigger !== undefined);
  const own = named.filter(({ expect }) => expect?.includes(skill) ?? true).length;
  return own > 0 && own * 4 >= named.length;
}

function ownerOf({ owner, listLabel }: Row, { expect, shouldTrigger }: Label, names: NamesNear): RowOwner | undefined {
  if (owner === undefined) return undefined;
  const id = names.idOf(owner);
  // Without another label, `skill` is the label and not the skill under test.
  if (expect?.length === 1 && expect[0] === id && shouldTrigger === undefined && listLabel === undefined)
    return undefined;
  return names.has(owner) || isNameLike(owner) ? { id, leads: true } : undefined;
}

function factsOf(rows: { row: Row; label: Label; owner: RowOwner | undefined }[]): FileFacts {
  return {
    underTest: new Set(rows.flatMap(({ label }) => (label.shouldTrigger === true ? (label.expect ?? []) : []))),
    nameless: rows.some(
      ({ row, label, owner }) =>
        owner === undefined && label.expect === undefined && (label.shouldTrigger ?? row.listLabel) === true,
    ),
  };
}

/** In files with `expect_activation`, a row without it expects the skill. */
function mayExpectActivation({ map }: Row): boolean {
  return map.entries.some((entry) => normalKey(entry.key) === "expect_activation");
}

function isLabelled({ listLabel }: Row, { shouldTrigger, expect, nobody, forbidden }: Label): boolean {
  return (
    listLabel !== undefined ||
    shouldTrigger !== undefined ||
    expect !== undefined ||
    nobody !== undefined ||
    forbidden.length > 0
  );
}

interface TriggerParts {
  document: Document;
  label: Label;
  skill: string | undefined;
  problems: Problem[];
}

function triggerOf(row: Row, { document, label, skill, problems }: TriggerParts): Trigger {
  const fields = readFields(document, row.map, problems);
  const messages = fields.messages.at(-1)?.content === row.query ? fields.messages.slice(0, -1) : fields.messages;
  return makeTrigger({
    ...fields,
    messages,
    split: fields.split ?? row.split,
    skill,
    query: row.query,
    expect: expectation(label),
    source: document.at(row.at),
  });
}

function notUnderstood(document: Document, row: Row, why: string): Problem {
  return suiteProblem("suite/not-understood", {
    location: document.at(row.at),
    message: `This question is not asked: ${why}.`,
    fix: "Say which skill it is about (`skill`), or which one should be activated (`expect`).",
  });
}
