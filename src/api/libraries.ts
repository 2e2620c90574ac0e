import { resolve, sep } from "node:path";
import { relativePosix, UsageError } from "../base/index.ts";
import { loadConfig } from "../options/index.ts";
import { type Discovery, discover, type Library } from "../skills/index.ts";

export interface FindRequest {
  cwd: string;
  paths: string[];
  config?: string;
}

/** The libraries a command is about: all of the root, or those with a skill in the given paths. At least one skill, or it is a UsageError. */
export async function findLibraries({ cwd, paths, config: file }: FindRequest): Promise<{ libraries: Library[]; discovery: Discovery }> {
  const { config } = await loadConfig({ cwd, ...(file === undefined ? {} : { file }) });
  const folders = Object.fromEntries(Object.entries(config.libraries ?? {}).map(([name, globs]) => [name, [globs].flat()]));
  const discovery = await discover({ cwd, ...(paths.length > 0 ? { paths } : {}), libraries: folders });
  const wanted = paths.map((path) => resolve(cwd, path));
  const within = (folder: string, path: string) => path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
  const inside = discovery.libraries.filter(({ skills }) =>
    skills.some(({ dir, source }) => [dir, ...source.copies].some((place) => wanted.some((path) => within(path, place)))),
  );
  const libraries = (inside.length > 0 ? inside : discovery.libraries).filter(({ skills }) => skills.length > 0);
  if (libraries.length > 0) return { libraries, discovery };
  const where = paths.length > 0 ? paths.join(" and ") : relativePosix(cwd, discovery.root) || "this folder";
  throw new UsageError(`there is no skill in ${where}`, "Give the path of a folder with skills: SKILL.md files are found at any depth.");
}
