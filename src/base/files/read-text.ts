import { isUtf8 } from "node:buffer";
import { readFileSync, statSync } from "node:fs";

/** Nothing a person writes by hand is larger; a file above it is reported, not read. */
const MOST_BYTES = 8 * 1024 * 1024;

export type TextFile =
  | { status: "text"; text: string; bom: boolean }
  | { status: "unreadable"; reason: "missing" | "folder" | "special" | "large" | "denied" | "encoding"; message: string };

/**
 * The text of a file, or why there is none. Never throws.
 * The text keeps its BOM, so offsets in it are offsets in the file.
 * Synchronous: for many small files that is several times faster than four trips through the thread pool for each.
 */
export function readText(file: string, mostBytes: number = MOST_BYTES): TextFile {
  try {
    const stat = statSync(file);
    if (stat.isDirectory()) return unreadable("folder", "it is a folder, not a file");
    if (!stat.isFile()) return unreadable("special", "it is not a regular file");
    if (stat.size > mostBytes) return unreadable("large", `it has ${megabytes(stat.size)}; at most ${megabytes(mostBytes)} are read`);
    const text = readFileSync(file, "utf8");
    // Only text with a replacement character can have come from bytes that are not UTF-8.
    if (text.includes("\ufffd")) {
      const bytes = readFileSync(file);
      if (!isUtf8(bytes)) return unreadable("encoding", encodingMessage(bytes));
    }
    return { status: "text", text, bom: text.charCodeAt(0) === 0xfeff };
  } catch (error) {
    return failure(error);
  }
}

function unreadable(reason: Extract<TextFile, { status: "unreadable" }>["reason"], message: string): TextFile {
  return { status: "unreadable", reason, message };
}

function encodingMessage(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return "it is UTF-16; save it as UTF-8";
  return "it is not valid UTF-8; save it as UTF-8";
}

function failure(error: unknown): TextFile {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === "ENOENT" || code === "ENOTDIR") return unreadable("missing", "there is no such file");
  if (code === "ELOOP") return unreadable("special", "its symbolic links form a loop");
  return unreadable("denied", `it cannot be read (${code ?? "unknown error"})`);
}

function megabytes(bytes: number): string {
  const value = bytes / (1024 * 1024);
  return `${value >= 10 ? Math.round(value) : Math.round(value * 10) / 10} MB`;
}
