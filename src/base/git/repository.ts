import { dirname, isAbsolute, join, resolve } from "node:path";
import { isWithin } from "../files/paths.ts";
import { readText } from "../files/read-text.ts";
import { kindAt, realPath } from "../files/untrusted.ts";

export interface Repository {
  worktree: string;
  /** Holds HEAD and the index: `.git`, or the own folder of a worktree or submodule. */
  own: string;
  /** Holds refs and objects. */
  common: string;
}

/** Only `.git` makes a repository: git never checks out a file of that name, so no commit can bring one along. */
export function findRepository(folder: string): Repository | undefined {
  for (let dir = realPath(folder); dir !== undefined; dir = dirname(dir) === dir ? undefined : dirname(dir)) {
    const entry = join(dir, ".git");
    const kind = kindAt(entry, dir);
    if (kind === "missing") continue;
    const own = kind === "folder" ? realPath(entry) : kind === "file" ? linkedRepository(dir, entry) : undefined;
    const common = own && commonOf(own, dir);
    return own === undefined || common === undefined ? undefined : { worktree: dir, own, common };
  }
  return undefined;
}

/**
 * Follows the `gitdir: …` of a worktree or submodule. It may name any folder, so that folder must point back here or
 * lie in the surrounding repository's modules.
 */
function linkedRepository(dir: string, file: string): string | undefined {
  const named = /^gitdir: (.+)$/.exec(lineOf(file) ?? "")?.[1];
  const own = named === undefined ? undefined : realPath(resolve(dir, named));
  if (own === undefined) return undefined;
  const back = lineOf(join(own, "gitdir"));
  if (back !== undefined && realPath(resolve(own, back)) === file) return own;
  for (let above = dirname(dir); above !== dirname(above); above = dirname(above)) {
    const modules = join(above, ".git", "modules");
    if (isWithin(modules, own)) return own;
  }
  return undefined;
}

/** A worktree shares refs and objects with the repository whose `worktrees` folder it lies in. */
function commonOf(own: string, dir: string): string | undefined {
  const named = lineOf(join(own, "commondir"));
  if (named === undefined) return own;
  const common = realPath(resolve(own, named));
  return common !== undefined && dirname(own) === join(common, "worktrees") && !isWithin(dir, own) ? common : undefined;
}

export function commitOf({ own, common }: Repository): string | undefined {
  const head = lineOf(join(own, "HEAD"), own);
  const ref = /^ref: (refs\/[^\0]+)$/.exec(head ?? "")?.[1];
  if (ref === undefined) return hashIn(head);
  if (ref.split("/").some((part) => part === ".." || part === "." || part === "") || isAbsolute(ref)) return undefined;
  return hashIn(lineOf(join(own, ref), own)) ?? hashIn(lineOf(join(common, ref), common)) ?? packedRef(common, ref);
}

function packedRef(common: string, ref: string): string | undefined {
  const packed = readText(join(common, "packed-refs"), { within: common, mostBytes: 64 * 1024 * 1024 });
  if (packed.status === "unreadable") return undefined;
  const line = packed.text.split("\n").find((text) => text.endsWith(` ${ref}`));
  return hashIn(line?.slice(0, -ref.length - 1));
}

export function hashIn(text: string | undefined): string | undefined {
  return text !== undefined && /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text) ? text : undefined;
}

export function lineOf(file: string, within?: string): string | undefined {
  const read = readText(file, { within, mostBytes: 8192 });
  return read.status === "text" ? read.text.trimEnd() : undefined;
}
