import { resolve } from "node:path";
import { didYouMean, isWithin, relativePosix, UsageError } from "../base/index.ts";
import { type Discovery, discover, findSkill } from "../exam/find/index.ts";
import { libraryFolders } from "../exam/plan/index.ts";
import type { Library, Skill } from "../model/index.ts";
import type { OpenScope } from "./scope.ts";

/** All libraries, or those with a skill in the given paths. Throws a UsageError if there is no skill. */
export async function findLibraries({
  cwd,
  paths,
  config,
}: OpenScope): Promise<{ libraries: Library[]; discovery: Discovery }> {
  const discovery = await discover({
    cwd,
    paths: paths.length > 0 ? paths : undefined,
    libraries: libraryFolders(config),
  });
  const wanted = paths.map((path) => resolve(cwd, path));
  const inside = discovery.libraries.filter(({ skills }) =>
    skills.some(({ dir, source }) =>
      [dir, ...source.copies].some((place) => wanted.some((path) => isWithin(path, place))),
    ),
  );
  const libraries = (inside.length > 0 ? inside : discovery.libraries).filter(({ skills }) => skills.length > 0);
  if (libraries.length > 0) return { libraries, discovery };
  const where = paths.length > 0 ? paths.join(" and ") : relativePosix(cwd, discovery.root) || "this folder";
  throw new UsageError(
    `there is no skill in ${where}`,
    "Give the path of a folder with skills: SKILL.md files are found at any depth.",
  );
}

export function namedSkill(
  libraries: readonly Library[],
  names: readonly [string, ...string[]],
): { library: Library; skill: Skill } {
  const [name] = names;
  const found =
    names
      .map((one) => libraries.flatMap((library) => findSkill(library, one).map((skill) => ({ library, skill }))))
      .find(({ length }) => length > 0) ?? [];
  const [first] = found;
  if (first !== undefined && found.length === 1) return first;
  if (found.length > 1)
    throw new UsageError(
      `${name} is the name of ${found.length} skills`,
      `Say which: ${found.map(({ skill }) => skill.id).join(", ")}.`,
    );
  const ids = libraries.flatMap(({ skills }) => skills.map(({ id }) => id));
  const some = `Skills here: ${ids.slice(0, 12).join(", ")}${ids.length > 12 ? " …" : ""}.`;
  throw new UsageError(`there is no skill "${name}" in this library`, didYouMean(name, ids, some));
}
