import { closeSync, readSync } from "node:fs";
import { openFile } from "../../base/index.ts";
import type { FooterLine } from "../../model/index.ts";
import type { RecordPlace } from "./run-folders.ts";

/** A footer is short, unless very much was edited during the run. */
const MOST_FOOTER_BYTES = 65_536;

/** Reads the last line of the record. Undefined if it is not a footer: the run is still going, or was killed. */
export function howItEnded({ file }: RecordPlace): FooterLine["how"] | undefined {
  const last = endOf(file).split("\n").at(-2) ?? "";
  if (!last.startsWith('{"type":"footer"')) return undefined;
  try {
    const { how } = JSON.parse(last) as FooterLine;
    return how === "complete" || how === "interrupted" || how === "stopped" ? how : undefined;
  } catch {
    return undefined;
  }
}

function endOf(file: string): string {
  const opened = openFile(file);
  if (opened.status === "unreadable") return "";
  try {
    const data = Buffer.alloc(Math.min(opened.size, MOST_FOOTER_BYTES));
    return data.subarray(0, readSync(opened.fd, data, 0, data.length, opened.size - data.length)).toString("utf8");
  } catch {
    return "";
  } finally {
    closeSync(opened.fd);
  }
}
