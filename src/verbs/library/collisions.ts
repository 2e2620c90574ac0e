import { readSuitesByLibrary } from "../../exam/read/index.ts";
import { resolveExpect } from "../../formats/index.ts";
import type { Library, Suite } from "../../model/index.ts";
import { type CollidingLibrary, type FoundCollisions, scopeWords } from "../../reporters/index.ts";
import { loadEmbedded } from "../../targets/index.ts";
import { findLibraries, namedSkill } from "../libraries.ts";
import { namedConfig, openScope, type Scope } from "../scope.ts";

export interface CollisionsOptions extends Scope {
  /** Report only collisions of this skill. */
  skill?: string;
  /** Number of pairs to show. Default: 10. */
  top?: number;
}

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
  // A skill that models may not activate cannot lose a prompt to a sibling.
  const closed = new Set(library.skills.filter(({ modelInvocable }) => !modelInvocable).map(({ id }) => id));
  // A run asks no drafts beside reviewed questions.
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

/** `proctor run` asks a prompt once, even if several suites have it for the same skill. */
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
