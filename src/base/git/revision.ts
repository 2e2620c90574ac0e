import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readText } from "../files/read-text.ts";
import { UsageError } from "../problems/usage-error.ts";
import { didYouMean } from "../text/near.ts";
import { type OwnRepository, openOwn } from "./own-repository.ts";
import { refsOf } from "./refs.ts";
import { commitOf, findRepository, hashIn } from "./repository.ts";

export interface Revision {
  commit: string;
  worktree: string;
  list(folder: string): Promise<TreeEntry[]>;
  read(entries: readonly TreeEntry[], take: (entry: TreeEntry, content: Buffer) => void): Promise<void>;
  close(): void;
}

export interface TreeEntry {
  /** Relative to the working tree, with forward slashes. Untrusted: a commit may hold any path. */
  path: string;
  kind: "file" | "executable" | "link" | "module" | "other";
  hash: string;
  bytes: number;
}

const SLOW = { timeout: 60_000, maxBuffer: 512_000_000 };

/**
 * Accepts any name git knows for a commit: a branch, a tag, a hash, HEAD~3. `mergeBase`: use the commit where the
 * checked-out branch forked from it. Ignores the repository's configuration and writes nothing to it, see `openOwn`.
 */
export async function openRevision(
  folder: string,
  name: string,
  options: { mergeBase?: boolean } = {},
): Promise<Revision> {
  const repository = findRepository(folder);
  if (repository === undefined)
    throw new UsageError(
      `${folder} is not in a git repository, so there is no revision ${name}.`,
      "Run it in a clone, or compare two runs instead.",
    );
  const refs = refsOf(repository);
  const head = commitOf(repository);
  const any = head ?? [...refs.values()][0];
  if (any === undefined)
    throw new UsageError(
      "This repository has no commit yet.",
      "Commit the skills first; then later edits can be compared with them.",
    );
  const shallow = readText(join(repository.common, "shallow"), { within: repository.common, mostBytes: 8_000_000 });
  const ours = openOwn(repository, any);
  if (ours === undefined)
    throw new UsageError("The objects of this repository are not where git keeps them, so no revision can be read.");
  try {
    writeFileSync(join(ours.place, "packed-refs"), [...refs].map(([ref, hash]) => `${hash} ${ref}\n`).join(""));
    if (shallow.status === "text") writeFileSync(join(ours.place, "shallow"), shallow.text);
    const about = { name, names: shortNames(refs), isShallow: shallow.status === "text" };
    const commit = await commitNamed(ours, about);
    const used = options.mergeBase && head !== undefined ? await mergeBaseOf(ours, [head, commit], about) : commit;
    return revision(ours, used, repository.worktree);
  } catch (error) {
    ours.remove();
    throw error;
  }
}

export function defaultBranch(folder: string): string | undefined {
  const repository = findRepository(folder);
  if (repository === undefined) return undefined;
  const refs = refsOf(repository);
  const known = [
    "refs/remotes/origin/HEAD",
    "refs/remotes/origin/main",
    "refs/remotes/origin/master",
    "refs/heads/main",
    "refs/heads/master",
  ];
  return known.find((ref) => refs.has(ref))?.replace(/^refs\/(?:heads|remotes)\//, "");
}

interface About {
  name: string;
  names: string[];
  isShallow: boolean;
}

const DEEPER =
  "The history here is shallow: git fetch --unshallow gets the rest (fetch-depth: 0 with actions/checkout).";

async function commitNamed(ours: OwnRepository, { name, names, isShallow }: About): Promise<string> {
  // A name that begins with a dash would be an option.
  const isName = name !== "" && !name.startsWith("-") && !/[\u0000-\u001f]/.test(name);
  const found = isName ? await ours.run(["rev-parse", "--verify", "--quiet", `${name}^{commit}`]) : undefined;
  const commit = hashIn(found?.trim());
  if (commit !== undefined) return commit;
  if ((await ours.run(["version"])) === undefined)
    throw new UsageError("git is needed for that, and cannot be started.", "Install git, or compare two runs instead.");
  throw new UsageError(
    `There is no revision ${name === "" ? '""' : name} in this repository.`,
    isShallow ? DEEPER : didYouMean(name, names, namesText(names)),
  );
}

async function mergeBaseOf(
  ours: OwnRepository,
  commits: readonly [string, string],
  { name, isShallow }: About,
): Promise<string> {
  const base = hashIn((await ours.run(["merge-base", ...commits], SLOW))?.trim());
  if (base !== undefined) return base;
  throw new UsageError(
    `The checkout and ${name} have no commit in common.`,
    isShallow ? DEEPER : "Name another revision with --base.",
  );
}

function revision(ours: OwnRepository, commit: string, worktree: string): Revision {
  return {
    commit,
    worktree,
    async list(folder) {
      const args = ["ls-tree", "-r", "-l", "-z", "--full-tree", commit, ...(folder === "" ? [] : ["--", `${folder}/`])];
      const listed = await ours.run(args, SLOW);
      if (listed === undefined)
        throw new UsageError(
          `The files of ${commit.slice(0, 7)} cannot be read from this repository.`,
          "It may be a partial clone: fetch the full history, or compare two runs instead.",
        );
      return listed.split("\0").flatMap(entryOf);
    },
    read: (entries, take) => readBlobs(ours, entries, take),
    close: () => ours.remove(),
  };
}

const KINDS: Record<string, TreeEntry["kind"]> = {
  "100644": "file",
  "100664": "file",
  "100755": "executable",
  "120000": "link",
};

function entryOf(line: string): TreeEntry[] {
  const match = /^(\d+) (\w+) ([0-9a-f]+) +(\S+)\t([\s\S]+)$/.exec(line);
  if (match === null) return [];
  const [, mode = "", type = "", hash = "", bytes = "", path = ""] = match;
  return [{ path, hash, kind: kindOf(mode, type), bytes: Number(bytes) || 0 }];
}

function kindOf(mode: string, type: string): TreeEntry["kind"] {
  if (type === "commit") return "module";
  return type === "blob" ? (KINDS[mode] ?? "other") : "other";
}

function readBlobs(
  { env, place }: OwnRepository,
  entries: readonly TreeEntry[],
  take: (entry: TreeEntry, content: Buffer) => void,
): Promise<void> {
  return new Promise((done, fail) => {
    const child = spawn("git", ["cat-file", "--batch"], { cwd: place, env, stdio: ["pipe", "pipe", "ignore"] });
    const broken = () => {
      child.kill("SIGKILL");
      fail(
        new UsageError(
          "A file of that revision cannot be read from this repository.",
          "It may be a partial clone: fetch the full history.",
        ),
      );
    };
    let at = 0;
    let waiting: Buffer[] = [];
    let size = 0;
    let wanted: number | undefined;
    child.stdout.on("data", (data: Buffer) => {
      waiting.push(data);
      size += data.length;
      if (wanted !== undefined && size < wanted) return;
      let buffer = waiting.length === 1 ? data : Buffer.concat(waiting);
      for (;;) {
        if (wanted === undefined) {
          const newline = buffer.indexOf(10);
          if (newline < 0) break;
          const bytes = /^[0-9a-f]+ blob (\d+)$/.exec(buffer.toString("latin1", 0, newline))?.[1];
          if (bytes === undefined) return broken();
          wanted = Number(bytes) + 1;
          buffer = buffer.subarray(newline + 1);
        }
        if (buffer.length < wanted) break;
        const entry = entries[at++];
        if (entry === undefined) return broken();
        try {
          take(entry, buffer.subarray(0, wanted - 1));
        } catch (error) {
          child.kill("SIGKILL");
          return fail(error);
        }
        buffer = buffer.subarray(wanted);
        wanted = undefined;
      }
      waiting = [buffer];
      size = buffer.length;
    });
    child.on("error", broken);
    child.on("close", () => (at === entries.length ? done() : broken()));
    child.stdin.on("error", () => {});
    child.stdin.end(entries.map(({ hash }) => `${hash}\n`).join(""));
  });
}

function shortNames(refs: ReadonlyMap<string, string>): string[] {
  return [...refs.keys()].map((ref) => ref.replace(/^refs\/(?:heads|remotes|tags)\//, ""));
}

function namesText(names: readonly string[]): string {
  return names.length === 0
    ? "It has no branch and no tag."
    : `It has ${names.slice(0, 6).join(", ")}${names.length > 6 ? " …" : ""}.`;
}
