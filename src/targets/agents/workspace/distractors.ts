import { basename, join, resolve } from "node:path";
import { fingerprint, UsageError } from "../../../base/index.ts";
import {
  copyLibrary,
  discover,
  skillFilesFingerprint,
  skillFingerprint,
  withoutExam,
} from "../../../exam/find/index.ts";
import { readSuites } from "../../../exam/read/index.ts";
import type { Library, Skill } from "../../../model/index.ts";
import { type StageableSkill, stageable } from "./workspace.ts";

export interface Distractors {
  skills: readonly StageableSkill[];
  fingerprint: string;
  dirs: readonly string[];
  libraries: readonly Library[];
  prints: ReadonlyMap<string, string>;
}

export async function findDistractors(dirs: readonly string[], cwd: string): Promise<Distractors | undefined> {
  if (dirs.length === 0) return undefined;
  const places = [...new Set(dirs.map((dir) => resolve(cwd, dir)))];
  const libraries = (await Promise.all(places.map(librariesIn))).flat();
  const skills = (await Promise.all(libraries.map(stageable))).flat();
  refuseNamesakes(skills.map(({ skill }) => skill));
  const prints = await printsOf(libraries);
  return { skills, fingerprint: fingerprint([...prints.values()].sort()), dirs: places, libraries, prints };
}

export async function copyDistractors(distractors: Distractors, into: string): Promise<Distractors> {
  const copies = await Promise.all(
    distractors.libraries.map((library, index) => copyLibrary(library, join(into, String(index)))),
  );
  const now = fingerprint([...(await printsOf(copies)).values()].sort());
  if (now !== distractors.fingerprint)
    throw new UsageError(
      "A skill given with --with-skills was edited while the run was being prepared.",
      "Start the run again.",
    );
  return { ...distractors, skills: (await Promise.all(copies.map(stageable))).flat() };
}

export async function editedDistractors({ dirs, prints }: Distractors): Promise<string[]> {
  const libraries = (await Promise.all(dirs.map((dir) => librariesIn(dir).catch(() => [])))).flat();
  const now = await printsOf(libraries);
  return [...new Set([...prints.keys(), ...now.keys()])].filter((dir) => prints.get(dir) !== now.get(dir)).map(slashed);
}

async function printsOf(libraries: readonly Library[]): Promise<Map<string, string>> {
  const prints = new Map<string, string>();
  for (const skill of libraries.flatMap(({ skills }) => skills))
    prints.set(skill.dir, fingerprint([skillFingerprint(skill), await skillFilesFingerprint(skill)]));
  return prints;
}

/** With the same name, it could not be told which of the two was loaded. */
export function refuseCollision(distractors: Distractors, library: Library): void {
  const taken = new Map(library.skills.flatMap((skill) => namesOf(skill).map((name) => [name, skill] as const)));
  for (const { skill } of distractors.skills) {
    const own = namesOf(skill)
      .map((name) => taken.get(name))
      .find((one) => one !== undefined);
    if (own === undefined) continue;
    throw new UsageError(
      `${shown(skill)}, given with --with-skills, has the name of ${own.id}, a skill of the library.`,
      "Give a folder outside the library whose skills have other names.",
    );
  }
}

async function librariesIn(dir: string): Promise<Library[]> {
  const { libraries, files } = await discover({ cwd: dir, root: dir });
  if (libraries.some(({ skills }) => skills.length > 0))
    return Promise.all(
      libraries.map(async (library) => withoutExam(library, (await readSuites({ library, files })).exam)),
    );
  throw new UsageError(
    `There is no skill in ${slashed(dir)}, given with --with-skills.`,
    "Give a folder that holds skills.",
  );
}

function refuseNamesakes(skills: readonly Skill[]): void {
  const taken = new Map<string, Skill>();
  for (const skill of skills) {
    const other = namesOf(skill)
      .map((name) => taken.get(name))
      .find((one) => one !== undefined);
    if (other !== undefined)
      throw new UsageError(`${shown(other)} and ${shown(skill)}, given with --with-skills, have the same name.`);
    for (const name of namesOf(skill)) taken.set(name, skill);
  }
}

/** Hosts identify a skill by its folder or by its name. */
function namesOf({ id, name, dir }: Skill): string[] {
  return [...new Set([id, name, basename(dir)].map((one) => one.toLowerCase()))];
}

function shown({ dir }: Skill): string {
  return slashed(dir);
}

function slashed(path: string): string {
  return path.replaceAll("\\", "/");
}
