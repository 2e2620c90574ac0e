import { closeSync, mkdirSync, openSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { isWithin } from "../files/paths.ts";
import { isSafeSegment } from "../files/segment.ts";
import { realPath } from "../files/untrusted.ts";
import { UsageError } from "../problems/usage-error.ts";
import { openRevision, type Revision, type TreeEntry } from "./revision.ts";

const MOST = { files: 100_000, bytes: 1024 ** 3, modules: 100 };

/**
 * Writes the files of a revision below a folder of it into an empty folder of ours, which has no link in its path. A commit holds whatever somebody put into it: paths
 * that could lead out, or mean something to git or the system, are left out, as are links that lead out. Links are made last, so that nothing is written through one.
 * A submodule that is checked out here has the files of the commit that the revision names; another one is left out.
 */
export async function exportRevision(
  revision: Revision,
  folder: string,
  into: string,
): Promise<{ files: number; leftOut: string[] }> {
  const start = folder === "" ? "" : `${folder}/`;
  const leftOut: string[] = [];
  const found = (await revision.list(folder)).filter((entry) => {
    const isSafe = entry.path.startsWith(start) && isSafePath(entry.path.slice(start.length)) && entry.kind !== "other";
    if (!isSafe) leftOut.push(entry.path);
    return isSafe;
  });
  const wanted = found.filter(({ kind }) => kind !== "module");
  const modules = found.filter(({ kind }) => kind === "module");
  const bytes = wanted.reduce((sum, entry) => sum + entry.bytes, 0);
  if (wanted.length > MOST.files || bytes > MOST.bytes)
    throw new UsageError(
      `At that revision the folder has ${wanted.length} files of ${Math.round(bytes / 1e6)} MB: too many to examine.`,
      "Put a proctor.config file in the folder that holds the skills: then only that folder is taken.",
    );
  const links: { path: string; target: string }[] = [];
  await revision.read(wanted, (entry, content) => {
    const path = join(into, entry.path.slice(start.length));
    if (entry.kind === "link") links.push({ path, target: content.toString("utf8") });
    else write(path, content, entry);
  });
  for (const [index, module] of modules.entries()) {
    const inside =
      index < MOST.modules
        ? await exportModule(revision, module, join(into, module.path.slice(start.length)))
        : undefined;
    leftOut.push(...(inside ?? [module.path]));
  }
  const made = links.filter(({ path, target }) => link(path, target, into)).map(({ path }) => path);
  const kept = new Set(withoutLeadingOut(made, into));
  for (const { path } of links) if (!kept.has(path)) leftOut.push(path.slice(into.length + 1));
  return { files: wanted.length, leftOut };
}

/** What of a submodule was left out; undefined where all of it was, because it is not checked out here or lacks that commit. */
async function exportModule(
  { worktree }: Revision,
  { path, hash }: TreeEntry,
  into: string,
): Promise<string[] | undefined> {
  const folder = join(worktree, path);
  const module = await openRevision(folder, hash).catch(() => undefined);
  if (module === undefined) return undefined;
  try {
    // Where it is not checked out, what is found is the repository around it.
    if (module.worktree !== realPath(folder)) return undefined;
    mkdirSync(into, { recursive: true });
    const { leftOut } = await exportRevision(module, "", into);
    return leftOut.map((one) => `${path}/${one}`);
  } catch {
    rmSync(into, { recursive: true, force: true });
    return undefined;
  } finally {
    module.close();
  }
}

/**
 * Removes links that lead out by way of each other, or nowhere: `up -> ..` and `out -> up/../..` are inside by their letters, and only the
 * second of them together with the first is not. What one link led to may be another one that is gone now, so it is done until all hold.
 */
function withoutLeadingOut(links: readonly string[], into: string): readonly string[] {
  const kept = links.filter((path) => {
    const real = realPath(path);
    if (real !== undefined && isWithin(into, real)) return true;
    rmSync(path);
    return false;
  });
  return kept.length === links.length ? kept : withoutLeadingOut(kept, into);
}

function isSafePath(path: string): boolean {
  return path
    .split("/")
    .every((part) => isSafeSegment(part) && part.toLowerCase() !== ".git" && !/^git~\d/i.test(part));
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
