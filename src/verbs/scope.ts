import { relative, resolve } from "node:path";
import { kindAt, listFolder, nearest, UsageError } from "../base/index.ts";
import { type Config, checkConfig, type LoadedConfig, loadConfig } from "../base/options/index.ts";
import { discover, findSkill } from "../exam/find/index.ts";
import { homeOf } from "../exam/plan/index.ts";
import type { Library } from "../model/index.ts";

/** Where a verb looks and how it is configured: what all of them take. */
export interface Scope {
  /** The working directory unless said. */
  cwd?: string;
  /** Files and folders, relative to `cwd`; everything from the root unless said. */
  paths?: string[];
  /** A configuration, or the file to read it from; otherwise the nearest proctor.config.* counts. */
  config?: Config | string;
  env?: NodeJS.ProcessEnv;
}

/** A scope with everything filled in. */
export interface OpenScope {
  cwd: string;
  paths: string[];
  config: LoadedConfig;
  env: NodeJS.ProcessEnv;
  /** The folder that holds `.proctor`. */
  home: string;
}

export async function openScope({
  cwd = process.cwd(),
  paths = [],
  config: given,
  env = process.env,
}: Scope): Promise<OpenScope> {
  const config =
    typeof given === "object"
      ? { config: await checkConfig(given), root: resolve(cwd) }
      : await loadConfig({ cwd, env, file: given });
  await takeGraders(config.config.graders);
  return { cwd, paths: await foundPaths(cwd, paths), config, env, home: homeOf(cwd, config) };
}

/** What is no path may be the name of a skill or of a prompt: then its folder is meant. */
async function foundPaths(cwd: string, paths: readonly string[]): Promise<string[]> {
  const named = paths.filter((path) => kindAt(resolve(cwd, path)) === "missing" && !/[\\/]/.test(path));
  if (named.length === 0) return [...paths];
  const { libraries } = await discover({ cwd });
  return paths.map((path) => {
    if (!named.includes(path)) return path;
    const [skill, ...others] = new Set(libraries.flatMap((library) => findSkill(library, path)).map(({ dir }) => dir));
    if (skill === undefined) suggestSkill(cwd, path, libraries);
    return skill === undefined || others.length > 0 ? path : relative(resolve(cwd), skill) || ".";
  });
}

/**
 * Refuses what is nearly the name of a skill, with that name; of all else, whoever looks for the path says that it is
 * not there.
 */
function suggestSkill(cwd: string, path: string, libraries: readonly Library[]): void {
  const skills = libraries.flatMap((library) => library.skills.map(({ id }) => id));
  const near = nearest(path, [...skills, ...listFolder(resolve(cwd)).map(({ name }) => name)]);
  if (near.some((name) => skills.includes(name)))
    throw new UsageError(`There is no file, folder or skill ${path}.`, `Did you mean ${near.join(" or ")}?`);
}

let taken = false;

/** Graders of the person's own. Their room is loaded only where there are any, or were before. */
async function takeGraders(graders: readonly unknown[] | undefined): Promise<void> {
  if (graders === undefined && !taken) return;
  const { useGraders } = await import("../graders/index.ts");
  useGraders(graders ?? []);
  taken = graders !== undefined;
}

/** The configuration's file as it was named, for the commands that a report offers. */
export function namedConfig({ config }: Scope): string | undefined {
  return typeof config === "string" ? config : undefined;
}
