import { createHash } from "node:crypto";
import { closeSync } from "node:fs";
import { join } from "node:path";
import { feedFile, isInstalledFolder, kindAt, listFolder, openFile, readBytes } from "../../../base/index.ts";
import type { LeftFile, WorkspaceFiles } from "../../../model/index.ts";

/** Fingerprints of a workspace's files, with the text of short ones, to be shown beside a later version. */
export type FilePrints = ReadonlyMap<string, { print: string; text?: string }>;

const MOST_ENTRIES = 5_000;
const MOST_DEPTH = 40;
/** Limits per file and in all; added and changed files come first. */
const MOST_OF_FILE = 1_048_576;
const MOST_IN_ALL = 8 * 1_048_576;
const MOST_BEFORE_OF_FILE = 262_144;
const MOST_BEFORE = 2 * 1_048_576;
/** Longer files are compared by their length alone. */
const MOST_HASHED = 64 * 1_048_576;

export function filePrints(project: string, except: readonly string[]): FilePrints {
  const { entries } = walk(project, except);
  let room = MOST_BEFORE;
  const files = entries.filter(({ kind }) => kind === "file");
  return new Map(
    files.map(({ path }) => {
      const print = printOf(join(project, path), project);
      const text = textOf(join(project, path), project, Math.min(MOST_BEFORE_OF_FILE, room));
      if (text === undefined) return [path, { print }];
      room -= text.length;
      return [path, { print, text }];
    }),
  );
}

/** Compares with what was there before. Links out of the workspace are not followed, and nothing blocks. */
export function leftFiles(project: string, before: FilePrints, except: readonly string[]): WorkspaceFiles {
  const { entries, cut } = walk(project, except);
  const seen = new Set(entries.map(({ path }) => path));
  const files = entries.map((entry): LeftFile => (entry.kind === "file" ? described(entry, project, before) : entry));
  for (const [path, { text }] of before)
    if (!seen.has(path) && cut === undefined)
      files.push(
        text === undefined
          ? { path, change: "removed", kind: "file" }
          : { path, change: "removed", kind: "file", before: text },
      );
  keepContents(files, project);
  return cut === undefined ? { files } : { files, cut };
}

function described(entry: LeftFile, project: string, before: FilePrints): LeftFile {
  const sha256 = printOf(join(project, entry.path), project);
  const known = before.get(entry.path);
  if (known === undefined) return { ...entry, change: "added", sha256 };
  if (known.print === sha256) return { ...entry, change: "same", sha256 };
  return known.text === undefined
    ? { ...entry, change: "changed", sha256 }
    : { ...entry, change: "changed", sha256, before: known.text };
}

function walk(project: string, except: readonly string[]): { entries: LeftFile[]; cut?: string } {
  const entries: LeftFile[] = [];
  const open: { folder: string; depth: number }[] = [{ folder: "", depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const inside = listFolder(join(project, next.folder));
    if (inside.length === 0 && next.folder !== "") entries.push({ path: next.folder, change: "added", kind: "folder" });
    for (const entry of inside.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = next.folder === "" ? entry.name : `${next.folder}/${entry.name}`;
      if (path === ".git" || except.includes(path)) continue;
      if (entries.length >= MOST_ENTRIES) return { entries, cut: `more than ${MOST_ENTRIES} files were left` };
      // Other machine-made folders are listed: a case may be about a repository in a subfolder, or about .proctor.
      if (entry.isDirectory() && (isInstalledFolder(entry.name) || next.depth >= MOST_DEPTH))
        entries.push({ path, change: "added", kind: "folder", unlisted: true });
      else if (entry.isDirectory()) open.push({ folder: path, depth: next.depth + 1 });
      else entries.push({ path, change: "added", kind: kindOf(entry, join(project, path), project) });
    }
  }
  return { entries: entries.sort((a, b) => (a.path < b.path ? -1 : 1)) };
}

/** A link inside the workspace counts as the file it leads to. */
function kindOf(
  entry: { isFile(): boolean; isSymbolicLink(): boolean },
  path: string,
  project: string,
): LeftFile["kind"] {
  if (entry.isFile()) return "file";
  if (!entry.isSymbolicLink()) return "special";
  const kind = kindAt(path, project);
  return kind === "file" || kind === "folder" ? kind : "link";
}

function printOf(file: string, project: string): string {
  const hash = createHash("sha256");
  const read = feedFile(file, { within: project, mostBytes: MOST_HASHED }, (piece) => hash.update(piece));
  return read.status === "fed" ? hash.digest("hex") : `unread:${read.reason}`;
}

function keepContents(files: LeftFile[], project: string): void {
  let room = MOST_IN_ALL;
  const changedFirst = [...files].sort((a, b) => Number(a.change === "same") - Number(b.change === "same"));
  for (const file of changedFirst) {
    if (file.kind !== "file" || file.change === "removed") continue;
    const read = readBytes(join(project, file.path), { within: project, mostBytes: Math.min(MOST_OF_FILE, room) });
    if (read.status === "unreadable") continue;
    const { bytes } = read;
    room -= bytes.length;
    const text = asText(bytes);
    if (text !== undefined) file.text = text;
    else file.base64 = bytes.toString("base64");
  }
  for (const file of files) {
    if (file.kind !== "file" || file.change === "removed") continue;
    const size = sizeOf(join(project, file.path), project);
    if (size !== undefined) file.bytes = size.bytes;
    if (size?.executable) file.executable = true;
  }
}

function textOf(file: string, project: string, mostBytes: number): string | undefined {
  const read = readBytes(file, { within: project, mostBytes });
  return read.status === "unreadable" ? undefined : asText(read.bytes);
}

/** Bytes that are not UTF-8 would not survive the round trip. */
function asText(bytes: Buffer): string | undefined {
  const text = bytes.includes(0) ? undefined : bytes.toString("utf8");
  return text !== undefined && Buffer.from(text, "utf8").equals(bytes) ? text : undefined;
}

function sizeOf(path: string, project: string): { bytes: number; executable: boolean } | undefined {
  const opened = openFile(path, { within: project });
  if (opened.status === "unreadable") return undefined;
  closeSync(opened.fd);
  return { bytes: opened.size, executable: opened.executable };
}
