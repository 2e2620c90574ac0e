import { dirname } from "node:path";
import { type Location, lineIndex } from "../../base/index.ts";
import type { Node } from "./node.ts";

export type Syntax = "json" | "jsonl" | "yaml" | "csv" | "markdown" | "text";

export interface Document {
  file: string;
  syntax: Syntax;
  text: string;
  root: Node;
  /** Files that the document names are read only if they lie in this folder. */
  within: string;
  at(place: number | Node | undefined): Location;
}

export function makeDocument(
  file: string,
  syntax: Syntax,
  text: string,
  root: Node,
  within: string = dirname(file),
): Document {
  let placeOf: ReturnType<typeof lineIndex> | undefined;
  return {
    file,
    syntax,
    text,
    root,
    within,
    at(place) {
      placeOf ??= lineIndex(text);
      return { file, ...placeOf(typeof place === "object" ? place.start : (place ?? 0)) };
    },
  };
}
