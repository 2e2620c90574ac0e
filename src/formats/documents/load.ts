import { basename, extname } from "node:path";
import { type Problem, readText, relativePosix } from "../../base/index.ts";
import { suiteProblem } from "../rules.ts";
import { parseCsv } from "./csv.ts";
import { type Document, makeDocument, type Syntax, Unparseable } from "./document.ts";
import { parseJson, parseJsonLines } from "./json.ts";
import { parseMarkdown } from "./markdown.ts";
import type { Node } from "./node.ts";
import { scalar } from "./node.ts";
import { isProsePage } from "./prose-page.ts";
import { parseYaml } from "./yaml.ts";

/** Larger files are data for something else: no one writes that many questions by hand. */
const largestFile = 8 * 1024 * 1024;

const syntaxes: Record<string, Syntax> = {
  ".json": "json",
  ".jsonc": "json",
  ".json5": "json",
  ".jsonl": "jsonl",
  ".ndjson": "jsonl",
  ".yaml": "yaml",
  ".yml": "yaml",
  ".csv": "csv",
  ".tsv": "csv",
  ".md": "markdown",
  ".markdown": "markdown",
  ".txt": "text",
};

export function syntaxOf(file: string): Syntax | undefined {
  return syntaxes[extname(file).toLowerCase()];
}

/** With `within`, links that lead out of that folder are not followed. */
export function loadText(file: string, within?: string): { text: string } | { problem: Problem } {
  const read = readText(file, { within, mostBytes: largestFile });
  if (read.status === "text") return { text: read.text };
  switch (read.reason) {
    case "large":
      return { problem: unreadable(file, `This file is not read: ${read.message}.`, "suite/too-large") };
    case "encoding":
      return { problem: unreadable(file, `This file's text would be garbled: ${read.message}.`) };
    default:
      return { problem: unreadable(file, `It cannot be read: ${read.message}.`) };
  }
}

interface LoadResult {
  document?: Document;
  problems: Problem[];
}

/** Never throws: a syntax error becomes a problem with its place. */
export function parseDocument(file: string, text: string, within?: string): LoadResult {
  const syntax = syntaxOf(file) ?? "text";
  const problems: Problem[] = [];
  const places = makeDocument({ file, syntax, text, root: scalar(null, 0, 0) });
  const report = (message: string, offset: number) => {
    problems.push({ ...unreadable(file, `${message}.`), location: places.at(Math.min(offset, text.length)) });
  };
  try {
    const place = within === undefined ? basename(file) : relativePosix(within, file);
    const root = parse({ syntax, text, place, report });
    return { document: makeDocument({ file, syntax, text, root, within }), problems };
  } catch (error) {
    if (error instanceof Unparseable) report(error.message, error.offset);
    else if (error instanceof RangeError) report("It is nested too deeply", 0);
    else report(error instanceof Error ? error.message : String(error), 0);
    return { problems };
  }
}

interface ParseInput {
  syntax: Syntax;
  text: string;
  place: string;
  report: (message: string, offset: number) => void;
}

function parse({ syntax, text, place, report }: ParseInput): Node {
  switch (syntax) {
    case "json":
      return parseJsonOrLines(text.startsWith("\uFEFF") ? ` ${text.slice(1)}` : text);
    case "jsonl":
      return parseJsonLines(text.startsWith("\uFEFF") ? ` ${text.slice(1)}` : text, report);
    case "yaml":
      return parseYaml(text);
    case "csv":
      return parseCsv(text);
    case "markdown":
      return parseMarkdown(text, isProsePage(place));
    case "text":
      return scalar(text, 0, text.length);
  }
}

function parseJsonOrLines(text: string): Node {
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof Unparseable) || !/^\s*\{.*\}\s*\n\s*\{/.test(text)) throw error;
    let whole = true;
    const lines = parseJsonLines(text, () => {
      whole = false;
    });
    if (!whole) throw error;
    return lines;
  }
}

function unreadable(
  file: string,
  message: string,
  code: "suite/unreadable" | "suite/too-large" = "suite/unreadable",
): Problem {
  return suiteProblem(code, {
    message,
    fix: "Fix the file, or move it out of the folders that are examined.",
    location: { file },
  });
}
