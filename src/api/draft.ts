import { existsSync } from "node:fs";
import { join } from "node:path";
import { didYouMean, UsageError } from "../base/index.ts";
import { findSkill, type Library, type Skill } from "../skills/index.ts";
import { draftSuite, readSuitesByLibrary, type SuiteDraft } from "../suites/index.ts";
import { loadEmbedded } from "../targets/index.ts";
import { findLibraries } from "./libraries.ts";

export interface DraftOptions {
  cwd: string;
  /** Of the skill, or the path of its folder. */
  name: string;
  paths?: string[];
  config?: string;
}

/** The first suite of a skill as `proctor init` would write it. */
export async function draftFor({ cwd, name: said, paths = [], config }: DraftOptions): Promise<{ skill: Skill; draft: SuiteDraft }> {
  // Shells complete the name of a folder with a slash.
  const name = said.replace(/(?<=.)[\\/]+$/, "");
  // A folder says where to look as well as what for.
  const where = paths.length > 0 ? paths : existsSync(join(cwd, name)) && /[\\/.]/.test(name) ? [name] : [];
  const { libraries, discovery } = await findLibraries({ cwd, paths: where, ...(config === undefined ? {} : { config }) });
  const { library, skill } = chosen(libraries, name, cwd);
  if (!skill.modelInvocable)
    throw new UsageError(
      `no model may activate ${skill.id}, so there is nothing to ask`,
      "Its frontmatter says so (disable-model-invocation or the like).",
    );
  const read = await readSuitesByLibrary(discovery);
  const suites = read.find((one) => one.library === library)?.suites ?? [];
  return { skill, draft: draftSuite({ library, skill, suites, ...(await neighbourhood(library, skill)) }) };
}

/** Who is near the skill, by the embedded router: whoever would answer to the skill's own words. */
async function neighbourhood(library: Library, skill: Skill) {
  const { createRouter, purposesOf } = await loadEmbedded();
  const router = createRouter(library.skills);
  const near = new Map<string, number>();
  for (const clause of [...purposesOf(skill.card), skill.card.description]) {
    for (const { skill: id, score } of router.scores(clause)) near.set(id, (near.get(id) ?? 0) + score);
  }
  const siblings = library.skills
    .filter(({ id, modelInvocable }) => id !== skill.id && modelInvocable)
    .sort((a, b) => (near.get(b.id) ?? 0) - (near.get(a.id) ?? 0) || (a.id < b.id ? -1 : 1));
  return {
    siblings,
    purposes: ({ card }: Skill) => purposesOf(card),
    closeness: (query: string) => router.scores(query).find(({ skill: id }) => id === skill.id)?.score ?? 0,
  };
}

function chosen(libraries: readonly Library[], name: string, cwd: string): { library: Library; skill: Skill } {
  const names = [name, join(cwd, name)];
  const found =
    names
      .map((one) => libraries.flatMap((library) => findSkill(library, one).map((skill) => ({ library, skill }))))
      .find(({ length }) => length > 0) ?? [];
  if (found.length === 1) return found[0]!;
  if (found.length > 1)
    throw new UsageError(`${name} is the name of ${found.length} skills`, `Say which: ${found.map(({ skill }) => skill.id).join(", ")}.`);
  const ids = libraries.flatMap(({ skills }) => skills.map(({ id }) => id));
  const some = `Skills here: ${ids.slice(0, 12).join(", ")}${ids.length > 12 ? " …" : ""}.`;
  throw new UsageError(`there is no skill ${name}`, didYouMean(name, ids, some));
}
