import { isWithin, relativePosix } from "../../../base/index.ts";
import { checkSkills } from "../../../check/index.ts";
import { discover } from "../../../exam/find/index.ts";
import type { Library } from "../../../model/index.ts";
import { loadEmbedded } from "../../../targets/index.ts";
import { pairAdvice } from "../../collisions/json.ts";
import type { PageCollisions, PageSkill } from "../page-data.ts";
import { rivalOrder } from "./rivals.ts";

export interface LibraryFacts {
  name: string;
  skills: PageSkill[];
  collisions: PageCollisions;
}

/** Larger libraries would delay the page by minutes; `proctor collisions` handles them. */
const MOST_SKILLS = 2_000;

/**
 * Only if the library is still what the run saw. A record from another machine does not say which folders to read here.
 */
export async function factsOfLibrary(where: {
  root: string;
  fingerprint: string;
  home: string;
}): Promise<LibraryFacts | null> {
  const { root, fingerprint, home } = where;
  if (!isWithin(home, root)) return null;
  const { libraries } = await discover({ cwd: root }).catch(() => ({ libraries: [] as Library[] }));
  const library = libraries.find((one) => one.fingerprint === fingerprint);
  return library === undefined || library.skills.length > MOST_SKILLS ? null : libraryFacts(library);
}

export async function libraryFacts(library: Library): Promise<LibraryFacts> {
  const { collisionsOf, createRouter, embeddedTarget } = await loadEmbedded();
  const { pairs, pairsLeftOff, broad, vague, common } = collisionsOf(library.skills, createRouter(library.skills));
  const ids = library.skills.map(({ id }) => id);
  return {
    name: library.name,
    skills: withProblems(library),
    collisions: {
      name: library.name,
      fingerprint: library.fingerprint,
      note: embeddedTarget("embedded").note ?? "",
      skills: ids,
      order: rivalOrder(
        ids,
        pairs.map(({ skills, risk }) => ({ skills, weight: risk })),
      ),
      pairs: pairs.map((pair) => ({ ...pair, advice: pairAdvice(pair) })),
      pairsLeftOff,
      broad,
      vague,
      common,
    },
  };
}

function withProblems(library: Library): PageSkill[] {
  const problems = checkSkills(library);
  return library.skills.map(({ id, dir, modelInvocable, card }) => ({
    id,
    modelInvocable,
    description: card.description,
    problems: problems
      .filter(({ location }) => isWithin(dir, location.file))
      .map(({ severity, code, message, location }) => ({
        severity,
        code,
        message,
        place: `${relativePosix(library.root, location.file)}${location.line === undefined ? "" : `:${location.line}`}`,
      })),
  }));
}
