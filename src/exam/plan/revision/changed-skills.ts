import { defaultBranch, readText, relativePosix, UsageError } from "../../../base/index.ts";
import type { Library, Suite } from "../../../model/index.ts";
import { loadEmbedded } from "../../../targets/index.ts";
import { discover, skillFilesFingerprint } from "../../find/index.ts";
import { readSuitesByLibrary } from "../../read/index.ts";
import { findLibraries, libraryFolders, type Where } from "../gather/find-questions.ts";
import { libraryAt } from "./library-at.ts";

export interface ChangedSkills {
  /** The revision compared with. `commit` is the merge base with it. */
  base: string;
  commit: string;
  touched: string[];
  siblings: string[];
}

/** Skills whose files or questions differ from the merge base, committed or not. */
export async function changedSkills(where: Where, given?: string): Promise<ChangedSkills> {
  const discovery = await findLibraries(where);
  const base = given ?? defaultBranch(discovery.root);
  if (base === undefined)
    throw new UsageError("Which branch this one comes from is unknown.", "Name it: --changed --base REVISION.");
  const then = await libraryAt(where, base, { mergeBase: true, questions: "then" });
  try {
    const before = await discover({ cwd: then.at.root, root: then.at.root, libraries: libraryFolders(where.config) });
    const touched = new Set<string>();
    const siblings = new Set<string>();
    for (const { library, suites } of await readSuitesByLibrary(discovery)) {
      const own = new Set([
        ...(await editedSkills(library, before.libraries)),
        ...editedQuestions(suites, discovery.root, then.at.root),
      ]);
      for (const id of own) touched.add(id);
      for (const id of await competitors(library, own)) siblings.add(id);
    }
    return {
      base,
      commit: then.commit,
      touched: [...touched].sort(),
      siblings: [...siblings].filter((id) => !touched.has(id)).sort(),
    };
  } finally {
    then.remove();
  }
}

async function editedSkills({ name, skills }: Library, before: readonly Library[]): Promise<string[]> {
  const then = before.find((library) => library.name === name);
  const prints = new Map<string, string>();
  for (const skill of then?.skills ?? []) prints.set(skill.id, await skillFilesFingerprint(skill));
  const edited: string[] = [];
  for (const skill of skills) if (prints.get(skill.id) !== (await skillFilesFingerprint(skill))) edited.push(skill.id);
  return edited;
}

function editedQuestions(suites: readonly Suite[], root: string, thenRoot: string): string[] {
  return suites.flatMap((suite) => {
    const path = relativePosix(root, suite.file);
    const [then, now] = [readText(`${thenRoot}/${path}`, { within: thenRoot }), readText(suite.file, { within: root })];
    if (then.status === "text" && now.status === "text" && then.text === now.text) return [];
    return [...suite.triggers, ...suite.cases].flatMap(({ skill }) => skill ?? []);
  });
}

async function competitors({ skills }: Library, touched: ReadonlySet<string>): Promise<string[]> {
  if (touched.size === 0) return [];
  const { collisionsOf, createRouter } = await loadEmbedded();
  const { pairs } = collisionsOf(skills, createRouter(skills));
  return pairs.flatMap(({ skills: pair }) => (pair.some((id) => touched.has(id)) ? pair : []));
}
