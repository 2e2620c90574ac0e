import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readBytes } from "../files/untrusted.ts";
import { openOwn } from "./own-repository.ts";
import { commitOf, findRepository, type Repository } from "./repository.ts";

export interface GitState {
  commit: string;
  /** Whether a tracked file differs from the commit; absent if that cannot be determined safely. */
  dirty?: boolean;
}

/**
 * The commit that is checked out; undefined outside a repository.
 *
 * The folder is untrusted, and a repository can name programs that git starts (fsmonitor, hooks, filters, external
 * diffs), even a folder of files that merely looks like a bare repository. So HEAD is read as text, and git only runs
 * on a repository of our own, with our configuration, that borrows the other's objects and index.
 */
export async function gitState(folder: string): Promise<GitState | undefined> {
  const repository = findRepository(folder);
  const commit = repository && commitOf(repository);
  if (repository === undefined || commit === undefined) return undefined;
  const dirty = await isDirty(repository, commit);
  return dirty === undefined ? { commit } : { commit, dirty };
}

/**
 * Asks git, using a repository of ours with the other's objects and a copy of its index. Skips submodules, which git
 * would inspect with their own configuration. Anything unusual (a split index, objects elsewhere) makes git fail, and
 * the result is undefined.
 */
async function isDirty(repository: Repository, commit: string): Promise<boolean | undefined> {
  const index = readBytes(join(repository.own, "index"), { within: repository.own, mostBytes: 256 * 1024 * 1024 });
  if (index.status === "unreadable" || !isWhole(index.bytes, commit)) return undefined;
  const ours = openOwn(repository, commit);
  if (ours === undefined) return undefined;
  try {
    writeFileSync(join(ours.place, "index"), index.bytes);
    const status = await ours.run([
      "status",
      "--porcelain",
      "--untracked-files=no",
      "--ignore-submodules=all",
      "--no-renames",
    ]);
    return status === undefined ? undefined : status.trim() !== "";
  } finally {
    ours.remove();
  }
}

/** An index ends with its checksum, or with zeros if that was disabled. git silently accepts a damaged one. */
function isWhole(index: Buffer, commit: string): boolean {
  const [algorithm, length] = commit.length === 64 ? (["sha256", 32] as const) : (["sha1", 20] as const);
  const [content, sum] = [index.subarray(0, -length), index.subarray(-length)];
  return sum.every((byte) => byte === 0) || createHash(algorithm).update(content).digest().equals(sum);
}
