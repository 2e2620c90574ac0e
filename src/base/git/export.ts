import { closeSync, mkdirSync, openSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { isWithin } from "../files/paths.ts";
import { isSafeSegment } from "../files/segment.ts";
import { UsageError } from "../problems/usage-error.ts";
import type { Revision, TreeEntry } from "./revision.ts";

const MOST = { files: 100_000, bytes: 1024 ** 3 };

/**
 * Writes the files of a revision below a folder of it into an empty folder of ours, which has no link in its path. A commit holds whatever somebody put into it: paths
 * that could lead out, or mean something to git or the system, are left out, as are links that lead out. Links are made last, so that nothing is written through one.
 */
export async function exportRevision(revision: Revision, folder: string, into: string): Promise<{ files: number; leftOut: string[] }> {
  const start = folder === "" ? "" : `${folder}/`;
  const leftOut: string[] = [];
  const wanted = (await revision.list(folder)).filter((entry) => {
    const isSafe = entry.path.startsWith(start) && isSafePath(entry.path.slice(start.length)) && entry.kind !== "other";
    if (!isSafe) leftOut.push(entry.path);
    return isSafe;
  });
  const bytes = wanted.reduce((sum, entry) => sum + entry.bytes, 0);
  if (wanted.length > MOST.files || bytes > MOST.bytes)
    throw new UsageError(
      `At that revision the folder has ${wanted.length} files of ${Math.round(bytes / 1e6)} MB: too many to examine.`,
      "Put a proctor.config file into the folder that holds the skills: then only that folder is taken.",
    );
  const links: { path: string; target: string }[] = [];
  await revision.read(wanted, (entry, content) => {
    const path = join(into, entry.path.slice(start.length));
    if (entry.kind === "link") links.push({ path, target: content.toString("utf8") });
    else write(path, content, entry);
  });
  for (const { path, target } of links) if (!link(path, target, into)) leftOut.push(path.slice(into.length + 1));
  return { files: wanted.length, leftOut };
}

function isSafePath(path: string): boolean {
  return path.split("/").every((part) => isSafeSegment(part) && part.toLowerCase() !== ".git" && !/^git~\d/i.test(part));
}

function write(path: string, content: Buffer, { kind }: TreeEntry): void {
  mkdirSync(dirname(path), { recursive: true });
  const fd = openSync(path, "wx", kind === "executable" ? 0o755 : 0o644);
  try {
    writeFileSync(fd, content);
  } finally {
    closeSync(fd);
  }
}

function link(path: string, target: string, into: string): boolean {
  const folder = dirname(path);
  if (target.includes("\0") || target === "" || !isWithin(into, resolve(folder, target))) return false;
  try {
    mkdirSync(folder, { recursive: true });
    // Through another link the way up would be another one.
    if (realpathSync(folder) !== folder) return false;
    symlinkSync(target, path);
    return true;
  } catch {
    return false;
  }
}
