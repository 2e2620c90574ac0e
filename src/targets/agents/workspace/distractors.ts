import { basename, resolve } from "node:path";
import { fingerprint, UsageError } from "../../../base/index.ts";
import { discover, type Library, type Skill, skillFilesFingerprint, skillFingerprint, withoutExam } from "../../../skills/index.ts";
import { readSuites } from "../../../suites/index.ts";
import { type StageableSkill, stageable } from "./workspace.ts";

/** Skills from elsewhere that are staged beside the library and compete with it: distractors. */
export interface Distractors {
  skills: readonly StageableSkill[];
  /** Of all that a host or a model can read of them. */
  fingerprint: string;
}

export async function findDistractors(dirs: readonly string[], cwd: string): Promise<Distractors | undefined> {
  if (dirs.length === 0) return undefined;
  const found = await Promise.all([...new Set(dirs.map((dir) => resolve(cwd, dir)))].map(skillsIn));
  const skills = found.flat();
  refuseNamesakes(skills.map(({ skill }) => skill));
  const prints = await Promise.all(skills.map(async ({ skill }) => [skillFingerprint(skill), await skillFilesFingerprint(skill)]));
  return { skills, fingerprint: fingerprint(prints.sort()) };
}

/** Under one name nobody could tell which of the two was loaded. */
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

async function skillsIn(dir: string): Promise<StageableSkill[]> {
  const { libraries, files } = await discover({ cwd: dir, root: dir });
  const skills = await Promise.all(
    libraries.map(async (library) => stageable(withoutExam(library, (await readSuites({ library, files })).exam))),
  );
  if (skills.flat().length > 0) return skills.flat();
  throw new UsageError(`There is no skill in ${slashed(dir)}, given with --with-skills.`, "Give a folder that holds skills.");
}

function refuseNamesakes(skills: readonly Skill[]): void {
  const taken = new Map<string, Skill>();
  for (const skill of skills) {
    const other = namesOf(skill)
      .map((name) => taken.get(name))
      .find((one) => one !== undefined);
    if (other !== undefined) throw new UsageError(`${shown(other)} and ${shown(skill)}, given with --with-skills, have the same name.`);
    for (const name of namesOf(skill)) taken.set(name, skill);
  }
}

/** Hosts know a skill by its folder or by its name. */
function namesOf({ id, name, dir }: Skill): string[] {
  return [...new Set([id, name, basename(dir)].map((one) => one.toLowerCase()))];
}

function shown({ dir }: Skill): string {
  return slashed(dir);
}

function slashed(path: string): string {
  return path.replaceAll("\\", "/");
}
