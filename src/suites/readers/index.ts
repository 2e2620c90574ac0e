import { promptFile } from "./prompt-file.ts";
import type { Reader } from "./reader.ts";
import { rows } from "./rows.ts";

/** The first that understands a document reads it; the most particular come first. */
export const readers: Reader[] = [promptFile, rows];
