import { dirname, join } from "node:path";
import { isTaken, kindAt, relativePosix, UsageError, writeFileIn } from "../../base/index.ts";
import { draftSuite, type SuiteDraft } from "../../cards/index.ts";
import { readSuitesByLibrary } from "../../exam/read/index.ts";
import type { Library, Skill } from "../../model/index.ts";
import { scopeWords } from "../../reporters/index.ts";
import { loadEmbedded } from "../../targets/index.ts";
import { findLibraries, namedSkill } from "../libraries.ts";
import { namedConfig, openScope, type Scope } from "../scope.ts";

export interface DraftOptions extends Scope {
  /** The skill's name, or the path of its folder. */
  skill: string;
  /** Write the draft beside the skill. Otherwise it is only returned. */
  write?: boolean;
}

export interface Draft {
  skill: Skill;
  draft: SuiteDraft;
}

export async function draft(options: DraftOptions): Promise<Draft> {
  // Shells complete folder names with a slash.
  const name = options.skill.replace(/(?<=.)[\\/]+$/, "");
  const { cwd = process.cwd(), paths = [] } = options;
  // A folder also says where to look.
  const where = paths.length > 0 ? paths : kindAt(join(cwd, name)) !== "missing" && /[\\/.]/.test(name) ? [name] : [];
  const { libraries, discovery } = await findLibraries(await openScope({ ...options, cwd, paths: where }));
  const { library, skill } = namedSkill(libraries, [name, join(cwd, name)]);
  if (!skill.modelInvocable)
    throw new UsageError(
      `no model may activate ${skill.id}, so there is nothing to ask`,
      "Its frontmatter says so (disable-model-invocation or the like).",
    );
  const read = await readSuitesByLibrary(discovery);
  const suites = read.find((one) => one.library === library)?.suites ?? [];
  const drafted = draftSuite({ library, skill, suites, ...(await neighbourhood(library, skill)) });
  if (options.write) {
    refuseTaken(drafted, cwd, scopeWords([options.skill, ...paths], namedConfig(options)));
    writeFileIn(drafted.file, drafted.text, { fresh: true, within: library.root });
  }
  return { skill, draft: drafted };
}

export interface AllDraftOptions extends Scope {
  /** Write the drafts beside their skills. Otherwise they are only returned. */
  write?: boolean;
}

export async function draftAll({ write = false, ...scope }: AllDraftOptions): Promise<Draft[]> {
  const { cwd = process.cwd(), paths = [] } = scope;
  const { libraries, discovery } = await findLibraries(await openScope({ ...scope, cwd, paths }));
  const read = await readSuitesByLibrary(discovery);
  const drafts: (Draft & { root: string })[] = [];
  for (const { library, suites } of read.filter((one) => libraries.includes(one.library))) {
    const asked = new Set(
      suites.flatMap(({ triggers, skill: whose, problems }) => [
        ...triggers.flatMap(({ skill, expect }) => [skill ?? [], expect.required_skills].flat()),
        // A suite that still consists of placeholders belongs to its skill, though it asks nothing yet.
        ...(whose !== undefined && problems.some(({ code }) => code === "suite/placeholder") ? [whose] : []),
      ]),
    );
    for (const skill of library.skills.filter(({ id, modelInvocable }) => modelInvocable && !asked.has(id))) {
      const drafted = draftSuite({ library, skill, suites, ...(await neighbourhood(library, skill)) });
      drafts.push({ skill, draft: drafted, root: library.root });
    }
  }
  // Writes all files or none.
  if (write) {
    for (const { draft: drafted } of drafts) refuseTaken(drafted, cwd, " --all");
    for (const { draft: drafted, root } of drafts)
      writeFileIn(drafted.file, drafted.text, { fresh: true, within: root });
  }
  return drafts.map(({ skill, draft: drafted }) => ({ skill, draft: drafted }));
}

function refuseTaken({ file }: SuiteDraft, cwd: string, itself: string): void {
  const present = ["yaml", "yml", "json", "jsonc"]
    .map((end) => join(dirname(file), `triggers.${end}`))
    .find((one) => isTaken(one));
  if (present !== undefined)
    throw new UsageError(
      `${relativePosix(cwd, present)} already exists; nothing was written`,
      `proctor init${itself} --dry-run prints the draft, minus what is already asked, for you to copy from.`,
    );
}
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
