import { type Problem, relativePosix } from "../../base/index.ts";
import { idOf } from "../../formats/index.ts";
import type { Case, Library, Question, Skill, Suite, Trigger } from "../../model/index.ts";
import { type NamesNear, namesNear } from "../find/index.ts";
import { readSuites } from "./read-suites.ts";

interface LibrarySuites {
  library: Library;
  suites: Suite[];
  problems: Problem[];
  /** All files with questions, of any library. An examinee must not read them. */
  exam: string[];
}

/**
 * Every suite among these files, split by library. `paths` and `named` are absolute; see `readSuites`.
 * A question belongs to each library that knows its skill. One that names no skill belongs to the libraries that know
 * most of its suite's skills; one whose skill is unknown belongs to the first of these, so that it is reported once.
 * Files are read against the skills of all libraries, so their meaning does not depend on the split.
 */
export async function readSuitesByLibrary(options: {
  libraries: readonly Library[];
  files: string[];
  paths?: string[];
  named?: string[];
}): Promise<LibrarySuites[]> {
  const { libraries, files, paths, named } = options;
  const [only, ...others] = libraries;
  if (only === undefined) return [];
  if (others.length === 0) return [{ library: only, ...(await readSuites({ library: only, files, paths, named })) }];
  const all = unionOf(only, libraries);
  const { suites, problems, exam } = await readSuites({ library: all, files, paths, named });
  const found = libraries.map((library): LibrarySuites => ({ library, suites: [], problems: [], exam }));
  for (const suite of suites) {
    const names = namesNear(all, suite.file);
    const owners = ownersOf(suite, libraries, names);
    for (const part of found) part.suites.push(...partOf(suite, part.library, { owners, names }));
  }
  for (const problem of problems) {
    const skill = namesNear(all, problem.location.file).owner()?.skill;
    const part = found.find(({ library }) => skill !== undefined && has(library, skill)) ?? found[0];
    part?.problems.push(problem);
  }
  return found;
}

function unionOf({ root }: Library, libraries: readonly Library[]): Library {
  const skills = new Map(libraries.flatMap((library) => library.skills.map((skill) => [skill.dir, skill])));
  const ids = [...skills.values()].map(({ id }) => id);
  const twice = new Set(ids.filter((id, index) => ids.indexOf(id) !== index));
  const unique = [...skills.values()].map((skill) =>
    twice.has(skill.id) ? { ...skill, id: relativePosix(root, skill.dir) } : skill,
  );
  return { root, name: "", skills: unique, fingerprint: "", problems: [] };
}

interface Owners {
  home: Library | undefined;
  of(question: Question): readonly Library[];
}

function ownersOf(suite: Suite, libraries: readonly Library[], names: NamesNear): Owners {
  const named = new Set([...suite.triggers, ...suite.cases].flatMap(namesIn));
  const homes = knowingMost(libraries, [...named], names).libraries;
  return {
    home: homes[0],
    of(question) {
      const own = namesIn(question);
      const knowing = knowingMost(libraries, own, names);
      if (knowing.most > 0) return knowing.libraries;
      return own.length > 0 ? homes.slice(0, 1) : homes;
    },
  };
}

function namesIn(question: Question): string[] {
  if (question.skill !== undefined) return [question.skill];
  return question.kind === "trigger" ? [...question.expect.required_skills, ...question.expect.forbidden_skills] : [];
}

function knowingMost(
  libraries: readonly Library[],
  wanted: string[],
  names: NamesNear,
): { libraries: Library[]; most: number } {
  const skills = wanted.map((name) => skillsCalled(name, names));
  const known = libraries.map((library) => skills.filter((group) => group.some((skill) => has(library, skill))).length);
  const most = Math.max(...known);
  return { libraries: libraries.filter((_, index) => known[index] === most), most };
}

function skillsCalled(name: string, names: NamesNear): Skill[] {
  const found = names.resolve(name);
  if (found === undefined) return [];
  return "skill" in found ? [found.skill] : found.ambiguous;
}

function has(library: Library, { dir }: Skill): boolean {
  return library.skills.some((skill) => skill.dir === dir);
}

function partOf(suite: Suite, library: Library, { owners, names }: { owners: Owners; names: NamesNear }): Suite[] {
  const isMine = (question: Question) => owners.of(question).includes(library);
  const rename = (name: string) => idIn(library, name, names);
  const triggers = suite.triggers.filter(isMine).map((trigger) => renamedTrigger(trigger, rename));
  const cases = suite.cases.filter(isMine).map((one) => renamed(one, rename));
  const isHome = owners.home === library;
  if (triggers.length + cases.length === 0 && !isHome) return [];
  const skills = [...new Set([...triggers, ...cases].map(({ skill }) => skill))];
  const isWhole = triggers.length === suite.triggers.length && cases.length === suite.cases.length;
  const skill = isWhole ? suite.skill && rename(suite.skill) : skills.length === 1 ? skills[0] : undefined;
  return [{ ...suite, skill, triggers, cases, problems: isHome ? suite.problems : [] }];
}

function idIn(library: Library, name: string, names: NamesNear): string {
  const meant = skillsCalled(name, names);
  const own = library.skills.find((skill) => meant.some(({ dir }) => dir === skill.dir));
  return own?.id ?? namesNear(library, names.file).idOf(meant[0]?.name ?? name);
}

function renamedTrigger(trigger: Trigger, rename: (name: string) => string): Trigger {
  const { required_skills, forbidden_skills, also_fine } = trigger.expect;
  const expect = {
    ...trigger.expect,
    required_skills: required_skills.map(rename),
    forbidden_skills: forbidden_skills.map(rename),
    also_fine: also_fine.map(rename),
  };
  return renamed({ ...trigger, expect }, rename);
}

/** An id made from text and skill is made again, so that it equals the one the library would give on its own. */
function renamed<Q extends Trigger | Case>(question: Q, rename: (name: string) => string): Q {
  if (question.skill === undefined) return question;
  const own = { ...question, skill: rename(question.skill) };
  const made = idOf(question);
  return question.id.startsWith(made) ? { ...own, id: idOf(own) + question.id.slice(made.length) } : own;
}
