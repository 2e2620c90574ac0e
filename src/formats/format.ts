import type { Suite } from "../model/index.ts";
import type { Document } from "./documents/index.ts";
import type { NamesNear } from "./names.ts";

export interface ReadContext {
  /** The library's names, as the suite's file means them. */
  names: NamesNear;
  /** Another file of the same suite, parsed; its problems become the suite's. */
  load(file: string): Promise<Document | undefined>;
  /** Marks a file as part of this suite, so that it is not read again as one of its own. */
  claim(file: string): void;
}

/** One suite format. Null = this document is not in it. */
export interface Reader {
  id: string;
  read(document: Document, context: ReadContext): Suite | null | Promise<Suite | null>;
}
