import type { Problem } from "../../base/index.ts";
import { type Document, makeDocument } from "./document.ts";
import { parseDocument } from "./load.ts";

export interface Page {
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
  // Blanks replace the marks, so that offsets in the header equal offsets in the file.
  const yaml = text
    .slice(0, head)
    .replace(/^\uFEFF?---/, (mark) => " ".repeat(mark.length))
    .replace(/---(\s*)$/, "   $1");
  const { document, problems } = parseDocument(`${file}.yaml`, yaml, within);
  const moved = problems.map((problem) => ({ ...problem, location: { ...problem.location, file } }));
  return document === undefined
    ? { ...page, problems: moved }
    : { ...page, header: makeDocument({ file, syntax: "yaml", text, root: document.root, within }), problems: moved };
}
