import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readBytes } from "../files/untrusted.ts";
import { openOwn } from "./own-repository.ts";
import { commitOf, findRepository, type Repository } from "./repository.ts";

export interface GitState {
  commit: string;
  /** Whether a tracked file differs from the commit; absent where that cannot be told safely. */
  dirty?: boolean;
}

/**
 * The commit that is checked out; undefined outside a repository.
 *
 * The folder may be somebody else's, and a repository can name programs that git starts for it (fsmonitor, hooks, filters, external
 * diffs), even one that is merely a folder of files, as a bare repository. So HEAD is read as text, and git itself is started only
 * on a repository of our own that borrows the other's objects and index: it has no configuration but ours.
 */
export async function gitState(folder: string): Promise<GitState | undefined> {
  const repository = findRepository(folder);
  const commit = repository && commitOf(repository);
  if (repository === undefined || commit === undefined) return undefined;
  const dirty = await isDirty(repository, commit);
  return dirty === undefined ? { commit } : { commit, dirty };
}

/**
 * git's own answer, from a repository of ours with the other's objects and a copy of its index. Submodules are left out, since git would look at them with their own configuration. Whatever else is unusual (a split index, objects elsewhere) makes git
 * fail, and then nothing is said.
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

/** An index ends with its checksum, or with zeros where that was not wanted. git reads a damaged one without a word. */
function isWhole(index: Buffer, commit: string): boolean {
  const [algorithm, length] = commit.length === 64 ? (["sha256", 32] as const) : (["sha1", 20] as const);
  const [content, sum] = [index.subarray(0, -length), index.subarray(-length)];
  return sum.every((byte) => byte === 0) || createHash(algorithm).update(content).digest().equals(sum);
}
