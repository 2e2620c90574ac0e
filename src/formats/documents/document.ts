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

export function makeDocument({
  file,
  syntax,
  text,
  root,
  within = dirname(file),
}: Omit<Document, "at" | "within"> & { within?: string | undefined }): Document {
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

/** A syntax error. It stays in this folder: `parseDocument` turns it into a problem. */
export class Unparseable extends Error {
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}
