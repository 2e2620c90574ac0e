import { basename, dirname } from "node:path";
import { count, type Problem, relativePosix } from "../../base/index.ts";
import {
  announcesPrompts,
  collectRows,
  type Document,
  isKnownName,
  isNull,
  isOutcomeKey,
  isProsePage,
  isTranscript,
  type Node,
  normalKey,
  type Row,
  suiteProblem,
  text,
} from "../../formats/index.ts";
import type { NamesNear } from "../find/index.ts";

export function seemsToAsk({ file, syntax, root, text: written, within }: Document, names: NamesNear): boolean {
  if (syntax === "text") return false;
  // A case of `claude plugin eval` without graders, or a page that announces prompts in a form that is not read.
  if (syntax === "markdown")
    return basename(file) === "prompt.md" || (!isProsePage(relativePosix(within, file)) && announcesPrompts(written));
  if (isKnownName(file) || otherTools.test(basename(file))) return true;
  const rows = collectRows(root, names);
  return !isTranscript(rows) && rows.some((row) => !isAnswered(row));
}

/**
 * Whether a file that the user named holds prompts. They must be sentences, because other programs' data also has texts
 * and queries.
 */
export function holdsPrompts({ root, syntax }: Document, names: NamesNear): boolean {
  if (syntax === "text" || syntax === "markdown") return false;
  const rows = collectRows(root, names);
  return !isTranscript(rows) && rows.some((row) => !isAnswered(row) && isPrompt(row));
}

function isPrompt({ map }: Row): boolean {
  return map.entries.some(({ key, value }) => promptKey.test(normalKey(key)) && sentence.test(text(value) ?? ""));
}

const promptKey = /^(?:prompt|query|question|utterance|user_(?:prompt|query|message|input|request))$/;
const sentence = /^\s*[^\s{}()[\]=;<>]+\s[^{}()[\]=;<>]*$/;

/** Like `holdsPrompts`, for JSON that does not parse. Broken YAML is often a template and not meant to parse. */
export function writesPrompts(file: string, written: string): boolean {
  return (
    /\.(?:jsonc?|jsonl|ndjson)$/i.test(file) &&
    /"(?:prompt|query|question|utterance)"\s*:\s*"[^"\s{}()[\]=;<>]+\s[^"{}()[\]=;<>]*"/.test(written)
  );
}

const otherTools = /^promptfooconfig\.(?:ya?ml|jsonc?)$/i;

function isAnswered({ map }: Row): boolean {
  return map.entries.some(
    ({ key }) =>
      isOutcomeKey(normalKey(key)) ||
      /^(?:results?|answers?|responses?|outputs?|reply|completion)$/.test(normalKey(key)),
  );
}

export function notRead(files: readonly string[], named: ReadonlySet<string>): Problem[] {
  const groups = new Map<string, string[]>();
  for (const file of files) {
    const place = named.has(file) ? file : dirname(file);
    groups.set(place, [...(groups.get(place) ?? []), file]);
  }
  return [...groups.values()].map((group) => {
    // `!`: a group has at least one file.
    const file = group[0]!;
    return suiteProblem("suite/not-read", {
      message:
        group.length === 1
          ? "This file looks like a suite, but nothing in it was understood as a question, so none of it is asked."
          : `${count(group.length, "file")} in this folder look like suites, but nothing in them was understood as a question, so none of them is asked; this is the first.`,
      fix: "docs/suites.md shows the formats that are read: give each prompt a label such as `should_trigger`. If it is not a suite, move it out of the folder, or turn the rule off.",
      location: { file },
    });
  });
}

export function emptyFile(document: Document): Problem[] {
  const name = /^(triggers|evals)\.(?:jsonc?|ya?ml)$/i.exec(basename(document.file))?.[1]?.toLowerCase();
  if (name === undefined || !asksNothing(document.root, name)) return [];
  return [
    suiteProblem("suite/empty", {
      message: "This suite has no questions, so nothing is asked.",
      fix:
        name === "triggers"
          ? "Add triggers with query and should_trigger (proctor init drafts some), or delete the file."
          : "Add evals with prompt and expectations, or delete the file.",
      location: { file: document.file, line: 1, column: 1 },
    }),
  ];
}

const otherKeys = /^(?:skill_name|skill|draft|runs|models|version|notes|comment|description)$|^[$_]|^x-/;

function asksNothing(root: Node, name: string): boolean {
  if (root.type !== "map") return isNothing(root);
  return root.entries.every(({ key, value }) => otherKeys.test(key) || (key === name && isNothing(value)));
}

function isNothing(node: Node): boolean {
  if (node.type === "list") return node.items.length === 0;
  return node.type === "map"
    ? node.entries.length === 0
    : isNull(node) || (typeof node.value === "string" && node.value.trim() === "");
}
