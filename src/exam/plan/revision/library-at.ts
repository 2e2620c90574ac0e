import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import {
  copyFileTo,
  exportRevision,
  isWithin,
  kindAt,
  openRevision,
  ownFolder,
  type Revision,
  realPath,
  relativePosix,
  temporaryFolder,
  UsageError,
} from "../../../base/index.ts";
import { type Discovery, discover } from "../../find/index.ts";
import { readSuitesByLibrary } from "../../read/index.ts";
import { findLibraries, libraryFolders, type Where } from "../gather/find-questions.ts";

export interface LibraryAt {
  at: { cwd: string; paths?: string[]; root: string };
  root: string;
  commit: string;
  /** Paths that were not copied: submodules that are not checked out, links that lead out, unsafe names. */
  leftOut: string[];
  remove(): void;
}

export interface AtOptions {
  mergeBase?: boolean;
  /**
   * `now` (default) copies today's questions, so that both libraries are asked the same; `then` keeps the revision's.
   */
  questions?: "now" | "then";
}

/**
 * Writes the skills of a revision into a temporary folder, without a worktree: checkout and repository stay untouched.
 * The revision's configuration is never read, since it may be code.
 */
export async function libraryAt(
  where: Where,
  name: string,
  { mergeBase, questions = "now" }: AtOptions = {},
): Promise<LibraryAt> {
  const discovery = await findLibraries(where);
  const root = realPath(discovery.root) ?? discovery.root;
  const revision = await openRevision(root, name, { mergeBase });
  const { path: place, remove } = temporaryFolder("proctor-base-");
  try {
    // The library takes its name from the folder.
    const into = join(place, basename(discovery.root) || "library");
    mkdirSync(into);
    const found = { at: mapped(where, discovery.root, into), root: discovery.root, commit: revision.commit, remove };
    const { leftOut } = await exportRevision(revision, folderOf(revision, root), into);
    markCommit(into, revision.commit);
    if (questions === "now") await putQuestions(discovery, where, into);
    return { ...found, leftOut, at: present(found.at, where, name) };
  } catch (error) {
    remove();
    throw error;
  } finally {
    revision.close();
  }
}

/** Records of other revisions are kept apart, because they are not earlier runs of this library. */
export function baseHome(home: string): string {
  return ownFolder(home, "base");
}

function folderOf({ worktree }: Revision, root: string): string {
  if (isWithin(worktree, root)) return relativePosix(worktree, root);
  throw new UsageError(
    `The library is looked for from ${root}, which is outside the repository ${worktree}.`,
    "Put a proctor.config file into the repository, or give a path inside it.",
  );
}

/** Maps the request's places to the copy. A working directory outside the library becomes its root. */
function mapped({ cwd, paths }: Where, root: string, into: string): LibraryAt["at"] {
  const move = (path: string) => (isWithin(root, path) ? join(into, relative(root, path)) : into);
  const at = { cwd: move(resolve(cwd)), root: into };
  return paths === undefined ? at : { ...at, paths: paths.map((path) => move(resolve(cwd, path))) };
}

function present(at: LibraryAt["at"], { paths }: Where, name: string): LibraryAt["at"] {
  mkdirSync(at.cwd, { recursive: true });
  if (at.paths === undefined) return at;
  const here = at.paths.filter((path) => kindAt(path) !== "missing");
  if (here.length === 0)
    throw new UsageError(
      `There is nothing at ${paths?.join(" and ")} in ${name}.`,
      "Give no path to compare the whole library.",
    );
  return { ...at, paths: here };
}

/** Creates a `.git` with only HEAD, from which the folder's commit is read. */
function markCommit(into: string, commit: string): void {
  mkdirSync(join(into, ".git"));
  writeFileSync(join(into, ".git", "HEAD"), `${commit}\n`);
}

/** Replaces the revision's suites with today's, including files beside them and those that questions stage. */
async function putQuestions(discovery: Discovery, { cwd, paths = [], config }: Where, into: string): Promise<void> {
  const then = await discover({ cwd: into, root: into, libraries: libraryFolders(config) });
  for (const { exam } of await readSuitesByLibrary(then)) for (const file of exam) rmSync(file, { force: true });
  const read = await readSuitesByLibrary(discovery);
  const cards = new Set(discovery.libraries.flatMap(({ skills }) => skills.map(({ file }) => file)));
  const withSkills = [...cards].map((file) => dirname(file));
  const named = paths.map((path) => resolve(cwd, path));
  const unborn = foldersOfNewSkills(discovery, then).filter((dir) => !named.some((path) => isWithin(dir, path)));
  // In the folder of a skill that the revision lacks, questions would be taken for those of another skill.
  const exam = read.flatMap(({ exam: files }) => files).filter((file) => !unborn.some((dir) => isWithin(dir, file)));
  // Folders that hold questions but no skill.
  const folders = new Set(
    exam.map((file) => dirname(file)).filter((folder) => !withSkills.some((skill) => isWithin(folder, skill))),
  );
  const brought = read.flatMap(({ suites }) =>
    suites.flatMap(({ triggers, cases }) =>
      [...triggers, ...cases].flatMap(({ files }) => files.flatMap((file) => ("from" in file ? [file.from] : []))),
    ),
  );
  const beside = discovery.files.filter((file) => [...folders].some((folder) => isWithin(folder, file)));
  for (const file of new Set([...exam, ...brought, ...beside])) {
    if (cards.has(file) || !isWithin(discovery.root, file)) continue;
    const to = join(into, relative(discovery.root, file));
    makeWay(to, into);
    copyFileTo(file, to, { within: discovery.root, into });
  }
}

/** Removes what the revision has in place of the file, and links on the way to it, so that no link is followed. */
function makeWay(to: string, into: string): void {
  let folder = into;
  for (const name of relative(into, dirname(to)).split(sep)) {
    folder = join(folder, name);
    if (realPath(folder) !== folder || kindAt(folder) !== "folder") rmSync(folder, { force: true });
  }
  rmSync(to, { force: true, recursive: true });
}

function foldersOfNewSkills({ libraries }: Discovery, then: Discovery): string[] {
  const there = new Set(then.libraries.flatMap(({ skills }) => skills.map(({ name }) => name)));
  const all = libraries.flatMap(({ skills }) => skills);
  const isAlone = (dir: string) => all.every((other) => other.dir === dir || !isWithin(dir, other.dir));
  return all.filter(({ name, dir }) => !there.has(name) && isAlone(dir)).map(({ dir }) => dir);
}
