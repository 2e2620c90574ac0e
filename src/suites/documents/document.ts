import type { Location } from "../../base/index.ts";
import type { Node } from "./node.ts";

export type Syntax = "json" | "jsonl" | "yaml" | "csv" | "markdown" | "text";

/** One parsed file. */
export interface Document {
  file: string;
  syntax: Syntax;
  text: string;
  root: Node;
  /** The file's line and column at an offset, or of a node. */
  at(place: number | Node): Location;
}

export function makeDocument(file: string, syntax: Syntax, text: string, root: Node): Document {
  let lines: number[] | undefined;
  return {
    file,
    syntax,
    text,
    root,
    at(place) {
      lines ??= lineStarts(text);
      const offset = typeof place === "number" ? place : place.start;
      const line = lineOf(lines, offset);
      return { file, line: line + 1, column: offset - lines[line]! + 1 };
    },
  };
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

function lineOf(starts: number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle]! <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
