import { dirname, join, resolve } from "node:path";
import { isTaken, isWithin, type Problem } from "../../../base/index.ts";
import type { LoadedConfig, RunSettings } from "../../../base/options/index.ts";
import type { Library, Suite } from "../../../model/index.ts";
import { type Discovery, discover, withoutExam } from "../../find/index.ts";
import { readSuitesByLibrary } from "../../read/index.ts";
import { namedTargets } from "./find-targets.ts";

export interface Where {
  cwd: string;
  /** Where to look and what to ask. Default: the working directory. */
  paths?: string[];
  config: LoadedConfig;
  root?: string;
}

export interface LibraryQuestions {
  library: Library;
  suites: Suite[];
  problems: Problem[];
}

/** Skills are returned without the exam files in their folders. */
export async function questionsIn(
  { libraries, files }: Discovery,
  where: Where,
  flags: RunSettings,
): Promise<LibraryQuestions[]> {
  const { cwd, paths } = where;
  const chosen = paths && chosenPaths(libraries, cwd, paths);
  const others = withoutScripts(files, namedTargets(flags, where.config) ?? [], cwd);
  const isInside = (file: string) => chosen === undefined || chosen.some((path) => isWithin(path, file));
  const read = await readSuitesByLibrary({ libraries, files: others, paths: chosen });
  return read.map(({ library, suites, problems, exam }) => ({
    library: withoutExam(library, exam),
    suites,
    problems: [
      ...problems.filter(({ location }) => isInside(location.file)),
      ...suites.flatMap((suite) => suite.problems),
    ],
  }));
}

export function findLibraries({ cwd, paths, root, config }: Where): Promise<Discovery> {
  return discover({ cwd, paths, root, libraries: libraryFolders(config) });
}

export async function libraryRoot(where: Where): Promise<string> {
  return (await findLibraries(where)).root;
}

export function libraryFolders({ config }: LoadedConfig): Record<string, string[]> | undefined {
  if (config.libraries === undefined) return undefined;
  return Object.fromEntries(Object.entries(config.libraries).map(([name, globs]) => [name, [globs].flat()]));
}

/** Absolute paths. A SKILL.md stands for its skill, whose suite may be elsewhere. */
export function chosenPaths(libraries: readonly Library[], cwd: string, paths: readonly string[]): string[] {
  const skills = libraries.flatMap((library) => library.skills);
  return paths.map((path) => resolve(cwd, path)).map((path) => skills.find(({ file }) => file === path)?.dir ?? path);
}

/** A script of answers has queries and skills too, but is not a suite. */
export function withoutScripts(files: string[], targets: readonly string[], cwd: string): string[] {
  const scripts = new Set(
    targets.filter((id) => id.startsWith("script:")).map((id) => resolve(cwd, id.slice("script:".length))),
  );
  return scripts.size === 0 ? files : files.filter((file) => !scripts.has(file));
}

/**
 * The folder that holds `.proctor`: that of the configuration, the repository or the working directory. Records are
 * found from anywhere inside it.
 */
export function homeOf(cwd: string, config: LoadedConfig): string {
  if (config.file !== undefined) return config.root;
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    if (isTaken(join(folder, ".git"))) return folder;
    if (dirname(folder) === folder) return resolve(cwd);
  }
}
