import { closeSync, mkdirSync, openSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { isWithin } from "../files/paths.ts";
import { isSafeSegment } from "../files/segment.ts";
import { realPath } from "../files/untrusted.ts";
import { UsageError } from "../problems/usage-error.ts";
import { openRevision, type Revision, type TreeEntry } from "./revision.ts";

const MOST = { files: 100_000, bytes: 1024 ** 3, modules: 100 };

/**
 * Writes the files below a revision's folder into an empty folder of ours without links in its path. A commit may hold
 * anything: paths that could lead out or mean something to git or the system are left out, as are links that lead out.
 * Links are made last, so that nothing is written through one. A submodule gets the files of the commit that the
 * revision names if it is checked out here; otherwise it is left out.
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

async function exportModule(
  { worktree }: Revision,
  { path, hash }: TreeEntry,
  into: string,
): Promise<string[] | undefined> {
  const folder = join(worktree, path);
  const module = await openRevision(folder, hash).catch(() => undefined);
  if (module === undefined) return undefined;
  try {
    // If it is not checked out, this finds the repository around it.
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
 * Removes links that lead out by way of other links, or nowhere: `up -> ..` and `out -> up/../..` look safe one by one.
 * Repeats until all hold, since a removed link may have been another one's target.
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
    // Through another link, `..` would lead elsewhere.
    if (realpathSync(folder) !== folder) return false;
    symlinkSync(target, path);
    return true;
  } catch {
    return false;
  }
}
