import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { count, isWithin, kindAt, nearest, type Problem, relativePosix } from "../../base/index.ts";
import { MOST_RUNS } from "../../base/options/index.ts";
import { ownFileOf } from "../../hosts/index.ts";
import type { Limits, Message, QuestionBase, QuestionFile } from "../../model/index.ts";
import {
  boolean,
  type Document,
  get,
  items,
  type MapNode,
  type Node,
  number,
  text,
  texts,
  word,
} from "../documents/index.ts";
import type { ReadContext } from "../format.ts";
import { suiteProblem } from "../rules.ts";
import { defined } from "./question.ts";
import { filesBelow, patternIn } from "./staged-folders.ts";
export type Fields = Omit<QuestionBase, "id" | "skill" | "source"> & Partial<Pick<QuestionBase, "id">>;

export function readFields(document: Document, row: MapNode, problems: Problem[]): Fields {
  const own: Problem[] = [];
  const fields = fieldsOf(document, row, own);
  problems.push(...own);
  return { ...fields, faults: faultsIn(own) };
}

export function faultsIn(problems: readonly Problem[]): Problem[] | undefined {
  const faults = problems.filter(({ severity }) => severity === "error");
  return faults.length > 0 ? faults : undefined;
}

function fieldsOf(document: Document, row: MapNode, problems: Problem[]): Fields {
  const id = word(get(row, "id")) ?? word(get(row, "case_id"));
  return {
    tags: tagsOf(row),
    skipProviders: providersOf(document, get(row, "skip_providers"), problems),
    files: readFiles(document, get(row, "files"), problems),
    messages: readMessages(get(row, "messages")),
    limits: readLimits(row),
    id: id?.trim() || undefined,
    runs: runsOf(document, get(row, "runs"), problems),
    skip: skipReason(get(row, "skip")),
    split: word(get(row, "split")),
    notes: notesOf(row),
    draft: boolean(get(row, "draft")) === true ? true : undefined,
  };
}

const providers = [
  "anthropic",
  "openai",
  "google",
  "xai",
  "cursor",
  "mistral",
  "deepseek",
  "qwen",
  "meta",
  "amazon",
  "moonshot",
  "github",
];

/** A misspelt provider would be asked, and paid, against the author's wish. */
function providersOf(document: Document, node: Node | undefined, problems: Problem[]): string[] {
  if (node === undefined) return [];
  const complain = (at: Node, problem: { severity: "error" | "warning"; message: string; fix: string }) =>
    problems.push(suiteProblem("suite/invalid", { ...problem, location: document.at(at) }));
  if (node.type !== "list")
    complain(node, {
      severity: "error",
      message: "skip_providers is a list of providers.",
      fix: `Write [${texts(node)[0] ?? "google"}].`,
    });
  return items(node).flatMap((item) => {
    const written = word(item) ?? "";
    const [near] = nearest(written.toLowerCase(), providers, 1);
    if (providers.includes(written)) return [written];
    if (near !== undefined)
      complain(item, {
        severity: "error",
        message: `There is no provider "${written}", so nothing would be skipped.`,
        fix: `Did you mean ${near}?`,
      });
    else
      complain(item, {
        severity: "warning",
        message: `"${written}" is not a provider known here.`,
        fix: `Known: ${providers.join(", ")}.`,
      });
    return [written];
  });
}

/** Number of runs; an out-of-range value is reported and ignored. */
export function runsOf(document: Document, node: Node | undefined, problems: Problem[]): number | undefined {
  const runs = wholeNumber(node);
  if (runs === undefined || node === undefined || runs <= MOST_RUNS) return runs;
  problems.push(
    suiteProblem("suite/invalid", {
      message: `${runs} runs are more than the ${count(MOST_RUNS, "run")} that a question can have.`,
      fix: "Write a smaller number; with --confidence a run asks until it is certain.",
      location: document.at(node),
    }),
  );
  return undefined;
}

function wholeNumber(node: Node | undefined): number | undefined {
  const value = number(node);
  return value !== undefined && value >= 1 ? Math.floor(value) : undefined;
}

export function positiveNumber(node: Node | undefined): number | undefined {
  const value = number(node);
  return value !== undefined && value > 0 ? value : undefined;
}

function skipReason(node: Node | undefined): string | undefined {
  const reason = text(node) ?? (boolean(node) === true ? "skipped in its suite, without a reason" : "");
  return reason.trim() === "" ? undefined : reason;
}

function notesOf(row: MapNode): string | undefined {
  const notes = noteKeys.map((key) => text(get(row, key))).find((note) => note !== undefined && note.trim() !== "");
  const route = text(get(row, "route"));
  return notes ?? (route !== undefined && /\s/.test(route.trim()) ? route : undefined);
}

const noteKeys = ["notes", "note", "reason", "reasoning", "rationale", "why", "comment", "description"];

function tagsOf(row: MapNode): string[] {
  const tags = texts(get(row, "tags"));
  for (const key of ["category", "group", "kind", "confidence", "difficulty"]) {
    const value = text(get(row, key));
    if (value !== undefined && value !== "" && !tags.includes(value)) tags.push(value);
  }
  return tags;
}

function readLimits(row: MapNode): Limits {
  const timeout = ["timeout_seconds", "timeout_s", "timeout"]
    .map((key) => get(row, key))
    .find((node) => number(node) !== undefined);
  return defined({ maxTurns: wholeNumber(get(row, "max_turns")), timeoutSeconds: positiveNumber(timeout) });
}

function readMessages(node: Node | undefined): Message[] {
  return items(node).flatMap((item): Message[] => {
    const role = text(get(item, "role"));
    const content = text(get(item, "content"));
    return content !== undefined && (role === "user" || role === "assistant") ? [{ role, content }] : [];
  });
}

/**
 * Paths are relative to the suite's folder (evolve) or to the skill that holds it (skill-creator); the absolute
 * `folders` are searched first. `files/a/b` is staged as `a/b`, anything else under its own name.
 * A file outside these folders is not staged: a suite must not reach into the rest of the disk.
 */
export function readFiles(document: Document, node: Node | undefined, problems: Problem[]): QuestionFile[] {
  if (node?.type === "map")
    return node.entries.flatMap(({ key, value }) => {
      const content = text(value);
      return content === undefined ? [] : inline({ path: key, content }, { document, at: value, problems });
    });
  return items(node).flatMap((item) => {
    if (item.type === "map") {
      const path = text(get(item, "path")) ?? text(get(item, "name")) ?? text(get(item, "dest"));
      const content = text(get(item, "content"));
      const from = text(get(item, "from")) ?? text(get(item, "source"));
      if (path !== undefined && content !== undefined)
        return inline({ path, content }, { document, at: item, problems });
      const source = from ?? path;
      return source === undefined ? [] : copied({ document, at: item, from: source, to: path }, problems);
    }
    const path = text(item);
    return path === undefined || path === "" ? [] : copied({ document, at: item, from: path }, problems);
  });
}

function inline(
  { path, content }: { path: string; content: string },
  { document, at, problems }: { document: Document; at: Node; problems: Problem[] },
): QuestionFile[] {
  const refused = escapes(path) ? outside(document, at, path) : hostFile(document, at, path);
  if (refused === undefined) return [{ path: toSlashes(path), content }];
  problems.push(refused);
  return [];
}

interface Copy {
  document: Document;
  at: Node;
  from: string;
  to?: string | undefined;
}

function copied(copy: Copy, problems: Problem[]): QuestionFile[] {
  const { document, at, from, to } = copy;
  const like = escapes(from) || isThere(copy) ? undefined : patternIn(from);
  const folder = like?.folder ?? from;
  const place = escapes(folder)
    ? undefined
    : placesOf({ document, from: folder }).find((one) => kindAt(one, document.within) === "folder");
  if (place === undefined) return copiedFile(copy, problems);
  const found = filesBelow(place, document.within);
  if (!Array.isArray(found)) {
    problems.push(
      suiteProblem("suite/missing-file", {
        location: document.at(at),
        message: `"${from}" cannot be staged: ${found.path || "it"} ${found.why}.`,
        fix: "Put regular files there, or name the files one by one.",
      }),
    );
    return [];
  }
  const wanted = like === undefined ? found : found.filter((file) => like.matches(file));
  if (wanted.length === 0) return copiedFile(copy, problems);
  const base = stagedName(folder === "." ? "files" : folder);
  const top = to ?? (like === undefined ? base : undefined);
  return wanted.flatMap((file) => {
    const source = folder === "." ? file : `${toSlashes(folder).replace(/\/$/, "")}/${file}`;
    const target = top === undefined ? stagedName(source) : top === "files" ? file : `${top}/${file}`;
    return copiedFile({ ...copy, from: source, to: target }, problems);
  });
}

function isThere(copy: Copy): boolean {
  return placesOf(copy).some((place) => kindAt(place, copy.document.within) !== "missing");
}

function placesOf({ document, from }: Pick<Copy, "document" | "from">): string[] {
  const folder = dirname(document.file);
  const places = [
    resolve(folder, from),
    resolve(folder, from.replace(/^evals[\\/]/, "")),
    resolve(dirname(folder), from),
  ];
  return places.filter((place) => isWithin(document.within, place));
}

function copiedFile(copy: Copy, problems: Problem[]): QuestionFile[] {
  const { document, at, from, to } = copy;
  const target = to ?? stagedName(from);
  const refused = escapes(from) || escapes(target) ? outside(document, at, from) : hostFile(document, at, target);
  if (refused !== undefined) {
    problems.push(refused);
    return [];
  }
  const { within } = document;
  const own = resolve(dirname(document.file), from);
  const found = placesOf(copy).find((place) => kindAt(place, within) !== "missing");
  if (found !== undefined && kindAt(found, within) === "outside") {
    problems.push(outside(document, at, from));
    return [];
  }
  if (found !== undefined && kindAt(found, within) !== "file") {
    problems.push(
      suiteProblem("suite/missing-file", {
        location: document.at(at),
        message: `"${from}" is not a regular file, so it cannot be staged and this question cannot be asked as intended.`,
        fix: "Put a file there, or correct the path.",
      }),
    );
    return [];
  }
  if (found === undefined) {
    problems.push(
      suiteProblem("suite/missing-file", {
        location: document.at(at),
        message: `The file "${from}" does not exist, so this question cannot be asked as intended.`,
        fix: `Add it as ${relativePosix(process.cwd(), own)}, or correct the path.`,
      }),
    );
    return [];
  }
  return [{ path: toSlashes(target), from: found, within }];
}

function stagedName(from: string): string {
  const parts = toSlashes(from)
    .replace(/^evals\//, "")
    .split("/");
  return parts[0] === "files" && parts.length > 1 ? parts.slice(1).join("/") : basename(from);
}

function outside(document: Document, at: Node, path: string): Problem {
  return suiteProblem("suite/file-escapes", {
    location: document.at(at),
    message: `The path "${path}" leads outside the examined folder, so the file is not staged.`,
    fix: "Put the file itself next to the suite, and use a relative path without `..`.",
  });
}

/** A file that an agent picks up on its own would change the exam, and what it names would run on this machine. */
export function hostFile(document: Document, at: Node, path: string): Problem | undefined {
  const own = ownFileOf(path);
  if (own === undefined) return undefined;
  return suiteProblem("suite/host-file", {
    location: document.at(at),
    message: `"${path}" would be a file of ${own.owner}'s own (${own.entry}), which picks it up on its own: settings, hooks, servers, instructions or skills. It is not staged.`,
    fix: "Give the file another name or folder, and name that in the prompt.",
  });
}

function escapes(path: string): boolean {
  if (path.includes("\0") || isAbsolute(path) || /^[A-Za-z]:|^[\\/]|^~/.test(path)) return true;
  return !isWithin("x", join("x", path.replaceAll("\\", "/")));
}

function toSlashes(path: string): string {
  return path.replaceAll("\\", "/").replace(/^\.\//, "");
}

export async function textOrFile(
  document: Document,
  node: Node | undefined,
  context: ReadContext,
): Promise<string | undefined> {
  const written = text(node);
  if (written === undefined || !/^[\w./\\-]{1,200}\.(?:md|txt)$/.test(written.trim())) return written;
  const file = resolve(dirname(document.file), written.trim());
  if (!isWithin(document.within, file) || kindAt(file, document.within) !== "file") return written;
  context.claim(file);
  return (await context.load(file))?.text.trim() ?? written;
}
