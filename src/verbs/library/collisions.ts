import { readSuitesByLibrary } from "../../exam/read/index.ts";
import { resolveExpect } from "../../formats/index.ts";
import type { Library, Suite } from "../../model/index.ts";
import { type CollidingLibrary, type FoundCollisions, scopeWords } from "../../reporters/index.ts";
import { loadEmbedded } from "../../targets/index.ts";
import { findLibraries, namedSkill } from "../libraries.ts";
import { namedConfig, openScope, type Scope } from "../scope.ts";

export interface CollisionsOptions extends Scope {
  /** Only what concerns this skill. */
  skill?: string;
  /** How many pairs to show. */
  top?: number;
}

/** `proctor collisions` as a function: which skills compete in each library. */
export async function collisions(options: CollisionsOptions = {}): Promise<FoundCollisions> {
  const { skill, top = 10 } = options;
  const scope = await openScope(options);
  const { libraries, discovery } = await findLibraries(scope);
  const read = (await readSuitesByLibrary(discovery)).filter(({ library }) => libraries.includes(library));
  const found: CollidingLibrary[] = [];
  const chosen = skill === undefined ? undefined : namedSkill(libraries, [skill]);
  for (const { library, suites } of read) {
    if (chosen !== undefined && chosen.library !== library) continue;
    const whole = await collisionsIn(library, suites);
    found.push(chosen === undefined ? whole : about(whole, chosen.skill.id));
  }
  const { id, note = "" } = (await loadEmbedded()).embeddedTarget("embedded");
  return {
    target: id,
    note,
    cwd: scope.cwd,
    top,
    where: scopeWords(scope.paths, namedConfig(options)),
    libraries: found,
  };
}

async function collisionsIn(library: Library, suites: readonly Suite[]): Promise<CollidingLibrary> {
  const { collisionsOf, createRouter, takenPositives } = await loadEmbedded();
  const router = createRouter(library.skills);
  // What no model may activate cannot lose a prompt to a sibling.
  const closed = new Set(library.skills.filter(({ modelInvocable }) => !modelInvocable).map(({ id }) => id));
  // Beside questions that somebody has reviewed, a run asks no drafts.
  const isReviewed = suites.some(({ triggers, cases }) =>
    [...triggers, ...cases].some(({ draft, skip }) => !draft && skip === undefined),
  );
  const positives = suites.flatMap((suite) =>
    suite.triggers.flatMap(({ query, expect, messages, source, skip, draft }) => {
      if (expect.required_skills.length === 0 || messages.length > 0 || skip !== undefined || (draft && isReviewed))
        return [];
      const resolved = resolveExpect(expect, library, suite.file);
      return "invalid" in resolved || resolved.required_skills.some((id) => closed.has(id))
        ? []
        : [{ query, expected: resolved.required_skills, alsoFine: resolved.also_fine, source }];
    }),
  );
  const { name, fingerprint, skills } = library;
  const prompts = distinct(positives);
  return {
    ...collisionsOf(skills, router),
    name,
    fingerprint,
    skills: skills.map(({ id }) => id),
    positives: prompts.length,
    taken: takenPositives(prompts, router),
  };
}

/** A prompt that is in several suites, for the same skill, is one prompt: `proctor run` asks it once. */
function distinct<T extends { query: string; expected: readonly string[] }>(positives: readonly T[]): T[] {
  return [
    ...new Map(positives.toReversed().map((one) => [`${one.query}\0${one.expected.join("\0")}`, one])).values(),
  ].reverse();
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
