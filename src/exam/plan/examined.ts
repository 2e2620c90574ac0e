import { join, resolve } from "node:path";
import { fingerprint, readText, relativePosix, UsageError } from "../../base/index.ts";
import { makeAsk } from "../../formats/index.ts";
import type { Library, Skill, Suite } from "../../model/index.ts";
import { skillFiles, skillFilesFingerprint, withoutExam } from "../find/index.ts";
import { readSuitesByLibrary } from "../read/index.ts";
import type { ExamRequest } from "./exam.ts";
import { chosenPaths, findLibraries, withoutScripts } from "./gather/find-questions.ts";

/** What a run examines, by name, each with its fingerprint: two that are equal lead to the same run. */
export type Examined = ReadonlyMap<string, string>;

export interface Change {
  /** "skill NAME", or the path of a suite or script. */
  name: string;
  how: "added" | "changed" | "removed";
}

const LIBRARY = "the library";

export async function examined(request: ExamRequest): Promise<Examined> {
  const { cwd, paths, flags } = request;
  const found = new Map(scripts(cwd, flags?.targets ?? []));
  // Of one file there may be several things to tell.
  const add = (name: string, print: string) => found.set(name, fingerprint([found.get(name), print]));
  try {
    const { libraries, files } = await findLibraries(request);
    const chosen = paths && chosenPaths(libraries, cwd, paths);
    const asked = { libraries, files: withoutScripts(files, flags?.targets ?? [], cwd), paths: chosen };
    for (const { library, suites, problems, exam } of await readSuitesByLibrary(asked)) {
      for (const skill of withoutExam(library, exam).skills) add(`skill ${skill.id}`, await skillPrint(skill, library));
      for (const problem of problems) add(relativePosix(library.root, problem.location.file), fingerprint(problem));
      for (const suite of suites) add(relativePosix(library.root, suite.file), suitePrint(suite, library));
    }
  } catch (error) {
    // Half-edited: what is wrong is said by the run.
    if (!(error instanceof UsageError)) throw error;
    found.set(LIBRARY, error.message);
  }
  return found;
}

/** An edit of a script changes who answers. */
function scripts(cwd: string, targets: readonly string[]): [string, string][] {
  return scriptNames(targets).map((file) => [file, fingerprint(readText(resolve(cwd, file)))]);
}

/** The scripts of answers among the targets, absolute. */
export function scriptFiles({ cwd, flags }: ExamRequest): string[] {
  return scriptNames(flags?.targets ?? []).map((file) => resolve(cwd, file));
}

function scriptNames(targets: readonly string[]): string[] {
  return targets.filter((id) => id.startsWith("script:")).map((id) => id.slice("script:".length));
}

export function changesOf(before: Examined, after: Examined): Change[] {
  // Where one of them could not be looked into, what is missing there is not gone.
  if (before.has(LIBRARY) !== after.has(LIBRARY)) return [{ name: LIBRARY, how: "changed" }];
  const edited = [...after].filter(([name, print]) => before.get(name) !== print);
  return [
    ...edited.map(([name]): Change => ({ name, how: before.has(name) ? "changed" : "added" })),
    ...[...before.keys()].filter((name) => !after.has(name)).map((name): Change => ({ name, how: "removed" })),
  ];
}

/**
 * Where the root itself is a skill, reports and logs of the run land in its folder: of what lies right in it only
 * documents count.
 */
async function skillPrint(skill: Skill, { root }: Library): Promise<string> {
  if (skill.dir !== root) return skillFilesFingerprint(skill);
  const files = (await skillFiles(skill)).filter((file) => file.includes("/") || file.endsWith(".md"));
  return fingerprint(files.map((file) => [file, readText(join(root, file))]));
}

/** An ask's key covers the content of the files that a question stages. */
function suitePrint(suite: Suite, library: Library): string {
  const asks = [...suite.triggers, ...suite.cases].map((question) => makeAsk(question, library).key);
  return fingerprint({ ...suite, asks });
}
