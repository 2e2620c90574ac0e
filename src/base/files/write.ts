import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { UsageError } from "../problems/usage-error.ts";

/** Writes a file, with the folders it needs. A place that cannot be written to is a UsageError with its path. */
export function writeFileIn(file: string, data: string | Uint8Array, { fresh = false }: { fresh?: boolean } = {}): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, data, { flag: fresh ? "wx" : "w" });
  } catch (error) {
    throw writeFault(file, error);
  }
}

/** The error of a write as something a person can fix, where it is one. */
export function writeFault(file: string, error: unknown): unknown {
  const { code = "", path = file } = error as NodeJS.ErrnoException;
  const known = FAULTS[code];
  return known === undefined ? error : new UsageError(`${file} cannot be written: ${known.why(path)} (${code})`, known.hint);
}

const denied = "Make it writable (chmod u+w on the file and its folder), or choose another folder.";
const blocked = "Choose another folder, or move that file away.";

const FAULTS: Record<string, { why(path: string): string; hint: string }> = {
  EACCES: { why: () => "you have no permission to write there", hint: denied },
  EPERM: { why: () => "you have no permission to write there", hint: denied },
  EROFS: { why: () => "its file system is read-only", hint: "Choose a folder on another file system, or mount this one for writing." },
  ENOTDIR: { why: () => "there is a file where a folder is needed", hint: blocked },
  EEXIST: { why: (path) => `${path} already exists`, hint: blocked },
  EISDIR: { why: () => "it is a folder", hint: "Choose another place, or move that folder away." },
  ENOSPC: { why: () => "the disk is full", hint: "Free some space, then try again." },
  ELOOP: { why: () => "its symbolic links form a loop", hint: "Fix the links, or choose another folder." },
};
