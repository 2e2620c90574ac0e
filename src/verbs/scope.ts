import { relative, resolve } from "node:path";
import { kindAt, listFolder, nearest, UsageError } from "../base/index.ts";
import { type Config, checkConfig, type LoadedConfig, loadConfig } from "../base/options/index.ts";
import { discover, findSkill } from "../exam/find/index.ts";
import { homeOf } from "../exam/plan/index.ts";
import type { Library } from "../model/index.ts";

/** Options of every verb: where it looks and how it is configured. */
export interface Scope {
  /** Default: the working directory of the process. */
  cwd?: string;
  /** Files and folders, relative to `cwd`. Default: everything from the root. */
  paths?: string[];
  /** A configuration or the path of its file. Default: the nearest proctor.config.*. */
  config?: Config | string;
  env?: NodeJS.ProcessEnv;
}

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

/** A name that is not a path may be that of a skill or prompt. It then stands for its folder. */
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

/** Suggests a skill if the name is nearly that of one. Other missing paths are reported where they are read. */
function suggestSkill(cwd: string, path: string, libraries: readonly Library[]): void {
  const skills = libraries.flatMap((library) => library.skills.map(({ id }) => id));
  const near = nearest(path, [...skills, ...listFolder(resolve(cwd)).map(({ name }) => name)]);
  if (near.some((name) => skills.includes(name)))
    throw new UsageError(`There is no file, folder or skill ${path}.`, `Did you mean ${near.join(" or ")}?`);
}

let taken = false;

/** Registers the user's own graders. The graders are loaded only if there are any, or were before. */
async function takeGraders(graders: readonly unknown[] | undefined): Promise<void> {
  if (graders === undefined && !taken) return;
  const { useGraders } = await import("../graders/index.ts");
  useGraders(graders ?? []);
  taken = graders !== undefined;
}

export function namedConfig({ config }: Scope): string | undefined {
  return typeof config === "string" ? config : undefined;
}
