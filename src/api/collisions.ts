import { didYouMean, UsageError } from "../base/index.ts";
import { where } from "../cli/where.ts";
import type { CollidingLibrary, FoundCollisions } from "../reports/index.ts";
import { findSkill, type Library } from "../skills/index.ts";
import { readSuitesByLibrary, resolveExpect, type Suite } from "../suites/index.ts";
import { loadEmbedded } from "../targets/index.ts";
import { findLibraries } from "./libraries.ts";

export interface CollisionsOptions {
  cwd: string;
  paths?: string[];
  skill?: string;
  top?: number;
  config?: string;
}

/** Which skills compete in each library found from here. */
export async function findCollisions({ cwd, paths = [], skill, top = 10, config }: CollisionsOptions): Promise<FoundCollisions> {
  const { libraries, discovery } = await findLibraries({ cwd, paths, ...(config === undefined ? {} : { config }) });
  const read = (await readSuitesByLibrary(discovery)).filter(({ library }) => libraries.includes(library));
  const found: CollidingLibrary[] = [];
  const chosen = skill === undefined ? undefined : chosenSkill(libraries, skill);
  for (const { library, suites } of read) {
    if (chosen !== undefined && chosen.library !== library) continue;
    const whole = await collisionsIn(library, suites);
    found.push(chosen === undefined ? whole : about(whole, chosen.id));
  }
  const { id, note = "" } = (await loadEmbedded()).embeddedTarget("embedded");
  return { target: id, note, cwd, top, where: where(paths, config), libraries: found };
}

async function collisionsIn(library: Library, suites: readonly Suite[]): Promise<CollidingLibrary> {
  const { collisionsOf, createRouter, takenPositives } = await loadEmbedded();
  const router = createRouter(library.skills);
  // What no model may activate cannot lose a prompt to a sibling.
  const closed = new Set(library.skills.filter(({ modelInvocable }) => !modelInvocable).map(({ id }) => id));
  const positives = suites.flatMap((suite) =>
    suite.triggers.flatMap(({ query, expect, messages, source, skip }) => {
      if (expect.required_skills.length === 0 || messages.length > 0 || skip !== undefined) return [];
      const resolved = resolveExpect(expect, library, suite.file);
      return "invalid" in resolved || resolved.required_skills.some((id) => closed.has(id))
        ? []
        : [{ query, expected: resolved.required_skills, alsoFine: resolved.also_fine, source }];
    }),
  );
  const { name, fingerprint, skills } = library;
  return {
    ...collisionsOf(skills, router),
    name,
    fingerprint,
    skills: skills.map(({ id }) => id),
    positives: positives.length,
    taken: takenPositives(positives, router),
  };
}

function chosenSkill(libraries: readonly Library[], name: string): { library: Library; id: string } {
  const found = libraries.flatMap((library) => findSkill(library, name).map(({ id }) => ({ library, id })));
  if (found.length === 1) return found[0]!;
  if (found.length > 1)
    throw new UsageError(`${name} is the name of ${found.length} skills`, `Say which: ${found.map(({ id }) => id).join(", ")}.`);
  const ids = libraries.flatMap(({ skills }) => skills.map(({ id }) => id));
  throw new UsageError(`there is no skill ${name}`, didYouMean(name, ids, "proctor collisions without --skill shows all."));
}

function about(library: CollidingLibrary, skill: string): CollidingLibrary {
  return {
    ...library,
    skill,
    pairs: library.pairs.filter(({ skills }) => skills.includes(skill)),
    broad: library.broad.filter((one) => one.skill === skill || one.takesFrom.includes(skill)),
    vague: library.vague.filter((one) => one.skill === skill),
    common: [],
    taken: library.taken.filter(({ positive, by }) => by === skill || positive.expected.includes(skill)),
  };
}
