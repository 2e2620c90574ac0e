import { randomUUID } from "node:crypto";
import { closeSync, fchmodSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, parse, relative, resolve, sep } from "node:path";
import { UsageError } from "../problems/usage-error.ts";
import { isWithin } from "./paths.ts";
import { isLink, isTaken, kindAt, realPath } from "./untrusted.ts";
import { modeOf, writeFault } from "./write.ts";

/**
 * Resolves a path that a person named for writing. In a repository, or below the working directory, others may have
 * placed links: one that leads out is refused. Elsewhere links are the person's own.
 */
export function namedPlace(named: string, cwd = process.cwd()): { path: string; ownLinks: boolean } {
  const whole = resolve(cwd, named);
  let at = parse(whole).root;
  const names = relative(at, whole).split(sep);
  const last = names.pop() ?? "";
  for (const name of names) {
    refuseLinkOut(named, join(at, name), cwd);
    at = realPath(join(at, name)) ?? join(at, name);
  }
  const path = join(at, last);
  refuseLinkOut(named, path, cwd);
  return { path, ownLinks: boundOf(at, cwd) === undefined };
}

/**
 * Writes a file that a person named. If links may be somebody else's, writes a temporary file beside it and renames
 * that.
 */
export async function writeNamed(file: string, pieces: AsyncIterable<string>): Promise<void> {
  const { path, ownLinks } = namedPlace(file);
  const beside = join(dirname(path), `.${basename(path)}.${randomUUID()}`);
  try {
    mkdirSync(dirname(path), { recursive: true });
    if (ownLinks) return await writePieces(openSync(path, "w"), pieces);
    const kind = kindAt(path);
    if (kind === "folder" || kind === "special") throw Object.assign(new Error(), { code: "EISDIR" });
    const mode = modeOf(path);
    const fd = openSync(beside, "wx", mode);
    if (mode !== undefined) fchmodSync(fd, mode);
    await writePieces(fd, pieces);
    renameSync(beside, path);
  } catch (error) {
    rmSync(beside, { force: true });
    throw writeFault(file, error);
  }
}

async function writePieces(fd: number, pieces: AsyncIterable<string>): Promise<void> {
  try {
    for await (const piece of pieces) writeFileSync(fd, piece);
  } finally {
    closeSync(fd);
  }
}

function refuseLinkOut(named: string, path: string, cwd: string): void {
  const bound = isLink(path) ? boundOf(dirname(path), cwd) : undefined;
  const real = realPath(path);
  if (bound === undefined || (real !== undefined && isWithin(bound, real))) return;
  throw new UsageError(
    `${named} cannot be written: ${path} is a link that leads ${real === undefined ? "nowhere" : `out of ${bound}, to ${real}`}.`,
    "Remove the link, or name another place.",
  );
}

/**
 * The folder that a link in `folder` (a real path) must not lead out of: the repository, or without one `folder`
 * itself.
 */
function boundOf(folder: string, cwd: string): string | undefined {
  for (let root = folder; ; root = dirname(root)) {
    if (isTaken(join(root, ".git"))) return root;
    if (dirname(root) === root) break;
  }
  const here = realPath(cwd) ?? cwd;
  // From the file system's root everything is below the working directory, even links such as /dev/stdout.
  return dirname(here) !== here && isWithin(here, folder) ? folder : undefined;
}
