import { basename, dirname, relative, resolve, sep } from "node:path";
import { didYouMean, isTaken, isWithin, kindAt, listFolder, relativePosix, UsageError } from "../../../base/index.ts";

const configs = ["ts", "js", "mjs", "yaml", "yml", "json"].map((extension) => `proctor.config.${extension}`);

interface Root {
  root: string;
  given: string[];
  start: string;
}

/**
 * The nearest folder with a proctor.config, otherwise the git root, otherwise the common folder of the paths. Paths
 * decide where to look, never which skills belong to the library.
 */
export function findRoot({ cwd, paths = [], root }: { cwd: string; paths?: string[]; root?: string }): Root {
  const given = paths.map((path) => existing(path, cwd));
  if (root !== undefined) {
    const folder = folderOf(existing(root, cwd));
    return { root: folder, given, start: folder };
  }
  const start = commonFolder(given.map((path) => startOf(path, cwd))) ?? resolve(cwd);
  const [first] = given;
  const found = anchorOf(first === undefined ? start : folderOf(first)) ?? start;
  for (const [index, path] of given.entries()) {
    if (!isWithin(found, path)) {
      throw new UsageError(
        `${paths[index]} is not in ${shown(found, cwd)}, which ${paths[0]} belongs to`,
        "Give the paths of one library at a time.",
      );
    }
  }
  return { root: found, given, start };
}

/** Commit hooks pass all changed files, which may be in several libraries or in none. */
export function byRoot(paths: readonly string[], cwd: string): string[][] {
  const groups = new Map<string | undefined, string[]>();
  for (const path of paths) {
    const root = anchorOf(folderOf(existing(path, cwd)));
    groups.set(root, [...(groups.get(root) ?? []), path]);
  }
  return groups.size === 0 ? [[]] : [...groups.values()];
}

function anchorOf(from: string): string | undefined {
  return ancestors(from).find(hasConfig) ?? ancestors(from).find((folder) => isTaken(resolve(folder, ".git")));
}

function existing(given: string, cwd: string): string {
  const path = resolve(cwd, given);
  if (kindAt(path) !== "missing") return path;
  const parent = ancestors(dirname(path)).find((folder) => kindAt(folder) === "folder") ?? path;
  const [missing = ""] = relative(parent, path).split(sep);
  const show = (name: string) => relativePosix(cwd, resolve(parent, name));
  throw new UsageError(
    `There is no file or folder ${given}.`,
    didYouMean(
      missing,
      listFolder(parent).map(({ name }) => name),
      `Paths are relative to ${cwd}.`,
      { show },
    ),
  );
}

/** A file below the working directory starts there, except a SKILL.md, which starts from its own folder. */
function startOf(path: string, cwd: string): string {
  if (kindAt(path) === "folder") return path;
  return isWithin(resolve(cwd), path) && basename(path).toLowerCase() !== "skill.md" ? resolve(cwd) : dirname(path);
}

function folderOf(path: string): string {
  return kindAt(path) === "folder" ? path : dirname(path);
}

function commonFolder(folders: string[]): string | undefined {
  const [first] = folders;
  return first === undefined
    ? undefined
    : ancestors(first).find((folder) => folders.every((other) => isWithin(folder, other)));
}

function ancestors(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...ancestors(parent)];
}

function hasConfig(folder: string): boolean {
  return configs.some((name) => isTaken(resolve(folder, name)));
}

function shown(folder: string, cwd: string): string {
  const path = relativePosix(cwd, folder);
  return path === "" ? "this folder" : path;
}
