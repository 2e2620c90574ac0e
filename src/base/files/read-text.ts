import { isUtf8 } from "node:buffer";
import { type ReadLimits, readBytes, type Unreadable, unreadable } from "./untrusted.ts";

export type TextFile = { status: "text"; text: string; bom: boolean } | Unreadable;

/**
 * Never throws. The text keeps its BOM, so that its offsets are offsets in the file. Synchronous: for many small files
 * that is several times faster than four trips through the thread pool each.
 */
export function readText(file: string, reading: ReadLimits = {}): TextFile {
  const read = readBytes(file, reading);
  if (read.status === "unreadable") return read;
  const text = read.bytes.toString("utf8");
  // Only text with a replacement character can have come from bytes that are not UTF-8.
  if (text.includes("\ufffd") && !isUtf8(read.bytes)) return unreadable("encoding", encodingMessage(read.bytes));
  return { status: "text", text, bom: text.charCodeAt(0) === 0xfeff };
}

function encodingMessage(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff))
    return "it is UTF-16; save it as UTF-8";
  return "it is not valid UTF-8; save it as UTF-8";
}
