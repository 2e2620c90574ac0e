import type { Problem } from "../../base/index.ts";
import { type Document, makeDocument } from "./document.ts";
import { parseDocument } from "./load.ts";

/** A page with a header of YAML: the header as a document of its own, and where the text below it begins. */
export interface Page {
  /** Absent where there is none, or it cannot be read. */
  header?: Document;
  body: string;
  start: number;
  problems: Problem[];
}

export function pageOf({ file, text, within }: Document): Page {
  const lines = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)(?:^|\n)---[ \t]*(?:\r?\n|$)/.exec(text);
  const head = lines?.[0].length ?? 0;
  const rest = text.slice(head);
  const page = { body: rest.trim(), start: head + (rest.length - rest.trimStart().length) };
  if (lines === null) return { ...page, problems: [] };
  // Blanks in place of the marks, so that places in the header are those in the file.
  const yaml = text
    .slice(0, head)
    .replace(/^\uFEFF?---/, (mark) => " ".repeat(mark.length))
    .replace(/---(\s*)$/, "   $1");
  const { document, problems } = parseDocument(`${file}.yaml`, yaml, within);
  const moved = problems.map((problem) => ({ ...problem, location: { ...problem.location, file } }));
  return document === undefined
    ? { ...page, problems: moved }
    : { ...page, header: makeDocument(file, "yaml", text, document.root, within), problems: moved };
}
