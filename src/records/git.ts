import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { isWithin, kindAt, readBytes, readText, realPath, relativePosix } from "../base/index.ts";

export interface GitState {
  commit: string;
  /** Whether a tracked file differs from the commit; absent where that cannot be told safely. */
  dirty?: boolean;
}

/**
 * The commit that is checked out; undefined outside a repository.
 *
 * The folder may be somebody else's, and a repository can name programs that git starts for it (fsmonitor, hooks, filters, external
 * diffs), even one that merely lies in a folder as files, as a bare repository. So HEAD is read as text, and git itself is started only
 * on a repository of our own that borrows the other's objects and index: it has no configuration but ours.
 */
export async function gitState(folder: string): Promise<GitState | undefined> {
  const repository = findRepository(folder);
  const commit = repository && commitOf(repository);
  if (repository === undefined || commit === undefined) return undefined;
  const dirty = await isDirty(repository, commit);
  return dirty === undefined ? { commit } : { commit, dirty };
}

/** All real paths. */
interface Repository {
  worktree: string;
  /** Where HEAD and the index are: `.git`, or a worktree's or submodule's own part of another. */
  own: string;
  /** Where refs and objects are. */
  common: string;
}

/** Only what is called `.git` makes a repository: git checks out no such file, so no commit can bring one along. */
function findRepository(folder: string): Repository | undefined {
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

/** `gitdir: …` of a worktree or a submodule. It may name any folder, so that folder must name this one, or lie in the repository around it. */
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

/** A worktree shares the refs and objects of the repository it was made from, whose `worktrees` folder it lies in. */
function commonOf(own: string, dir: string): string | undefined {
  const named = lineOf(join(own, "commondir"));
  if (named === undefined) return own;
  const common = realPath(resolve(own, named));
  return common !== undefined && dirname(own) === join(common, "worktrees") && !isWithin(dir, own) ? common : undefined;
}

function commitOf({ own, common }: Repository): string | undefined {
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

function hashIn(text: string | undefined): string | undefined {
  return text !== undefined && /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text) ? text : undefined;
}

/** The one line of a small file. */
function lineOf(file: string, within?: string): string | undefined {
  const read = readText(file, { within, mostBytes: 8192 });
  return read.status === "text" ? read.text.trimEnd() : undefined;
}

/**
 * git's own answer, from a repository of ours in a temporary folder: an empty configuration, no hooks, no attributes but those of the
 * working tree (which name filters that nobody has configured here), the other's objects, and a copy of its index. Submodules are left
 * out, since git would look at them with their own configuration. Whatever else is unusual (a split index, objects elsewhere) makes git
 * fail, and then nothing is said.
 */
async function isDirty(repository: Repository, commit: string): Promise<boolean | undefined> {
  const { worktree, own } = repository;
  const index = readBytes(join(own, "index"), { within: own, mostBytes: 256 * 1024 * 1024 });
  if (index.status === "unreadable" || !isWhole(index.bytes, commit)) return undefined;
  return borrowing(repository, commit, async (git, place) => {
    writeFileSync(join(place, "index"), index.bytes);
    const args = ["status", "--porcelain", "--untracked-files=no", "--ignore-submodules=all", "--no-renames"];
    const status = await git(args, worktree);
    return status === undefined ? undefined : status.toString("utf8").trim() !== "";
  });
}

type Git = (args: readonly string[], worktree?: string) => Promise<Buffer | undefined>;

/** A repository of ours for as long as it is used, with the other's objects and nothing else of it. */
async function borrowing<T>(
  { common }: Repository,
  commit: string,
  use: (git: Git, place: string) => Promise<T | undefined>,
): Promise<T | undefined> {
  const objects = join(common, "objects");
  if (kindAt(objects, common) !== "folder" || realPath(objects) !== objects) return undefined;
  const place = mkdtempSync(join(tmpdir(), "proctor-git-"));
  try {
    mkdirSync(join(place, "refs"));
    mkdirSync(join(place, "objects"));
    const format =
      commit.length === 64 ? "\trepositoryformatversion = 1\n[extensions]\n\tobjectFormat = sha256\n" : "\trepositoryformatversion = 0\n";
    writeFileSync(join(place, "config"), `[core]\n\tbare = false\n\tfsmonitor = false\n\thooksPath = /dev/null\n${format}`);
    writeFileSync(join(place, "HEAD"), `${commit}\n`);
    return await use((args, worktree = place) => runGit(args, place, worktree, objects), place);
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

/** A file as a commit has it. */
export interface CommittedFile {
  /** Relative to the folder that was asked about, with forward slashes. */
  path: string;
  content: Buffer;
  executable: boolean;
}

/** Larger files are no skill's; more of them neither. */
const MOST_FILES = 2_000;
const MOST_BYTES = 64 * 1024 * 1024;

/**
 * The files of a folder as they were at a revision (a commit, a branch, a tag, `HEAD~2`), read from the repository's objects in the same
 * safe way; links and submodules are left out. A text says why there are none.
 */
export async function filesAtRevision(folder: string, revision: string): Promise<{ commit: string; files: CommittedFile[] } | string> {
  const [, name = "", steps = ""] = /^([^~^:\s]+)((?:~\d*|\^\d*)*)$/.exec(revision) ?? [];
  const repository = findRepository(folder);
  if (repository === undefined) return "it is in no git repository";
  const start = name === "" || name.startsWith("-") ? undefined : startOf(repository, name);
  if (start === undefined) return `there is no revision ${revision}`;
  const inside = relativePosix(repository.worktree, realPath(folder) ?? folder);
  const found = await borrowing(repository, hashIn(start) ?? "0".repeat(40), async (git) => {
    const commit = (await git(["rev-parse", "--verify", "--quiet", `${start}${steps}^{commit}`]))?.toString("utf8").trim();
    if (hashIn(commit) === undefined || commit === undefined) return `there is no revision ${revision}`;
    const listed = await git(["ls-tree", "-r", "-z", "-l", "--full-tree", commit, ...(inside === "" ? [] : ["--", `${inside}/`])]);
    return listed === undefined ? undefined : { commit, files: await blobs(listed.toString("utf8"), inside, git) };
  });
  return found ?? "its objects cannot be read";
}

async function blobs(listed: string, inside: string, git: Git): Promise<CommittedFile[]> {
  const files: CommittedFile[] = [];
  let left = MOST_BYTES;
  for (const entry of listed.split("\0")) {
    const [, mode, hash, size, path] = /^(100644|100755) blob ([0-9a-f]+) +(\d+)\t(.+)$/s.exec(entry) ?? [];
    if (mode === undefined || hash === undefined || path === undefined || files.length >= MOST_FILES) continue;
    left -= Number(size);
    const content = left < 0 ? undefined : await git(["cat-file", "blob", hash]);
    const own = inside === "" ? path : path.slice(inside.length + 1);
    if (content !== undefined) files.push({ path: own, content, executable: mode === "100755" });
  }
  return files;
}

/** The hash that a revision begins with: HEAD, a branch, a tag, or a hash itself, perhaps cut short. */
function startOf(repository: Repository, name: string): string | undefined {
  if (name === "HEAD" || name === "@") return commitOf(repository);
  if (/^[0-9a-f]{4,64}$/.test(name)) return name;
  if (name.split("/").some((part) => part === ".." || part === "." || part === "")) return undefined;
  const { common } = repository;
  for (const ref of [`refs/heads/${name}`, `refs/tags/${name}`, `refs/remotes/${name}`]) {
    const hash = hashIn(lineOf(join(common, ref), common)) ?? packedRef(common, ref);
    if (hash !== undefined) return hash;
  }
  return undefined;
}

/** An index ends with its checksum, or with zeros where that was not wanted. git reads a damaged one without a word. */
function isWhole(index: Buffer, commit: string): boolean {
  const [algorithm, length] = commit.length === 64 ? (["sha256", 32] as const) : (["sha1", 20] as const);
  const [content, sum] = [index.subarray(0, -length), index.subarray(-length)];
  return sum.every((byte) => byte === 0) || createHash(algorithm).update(content).digest().equals(sum);
}

function runGit(args: readonly string[], place: string, worktree: string, objects: string): Promise<Buffer | undefined> {
  const env = {
    PATH: process.env["PATH"],
    SystemRoot: process.env["SystemRoot"],
    HOME: place,
    XDG_CONFIG_HOME: place,
    LC_ALL: "C",
    GIT_DIR: place,
    GIT_WORK_TREE: worktree,
    GIT_OBJECT_DIRECTORY: objects,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_SYSTEM: "/dev/null",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_NO_LAZY_FETCH: "1",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_PROTOCOL_FROM_USER: "0",
    GIT_ALLOW_PROTOCOL: "none",
  };
  return new Promise((done) => {
    const limits = { cwd: place, env, timeout: 5_000, killSignal: "SIGKILL" as const, maxBuffer: MOST_BYTES, encoding: "buffer" as const };
    execFile("git", [...args], limits, (error, stdout) => done(error === null ? stdout : undefined));
  });
}
