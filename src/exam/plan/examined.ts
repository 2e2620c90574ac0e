import { join, resolve } from "node:path";
import { fingerprint, readText, relativePosix, UsageError } from "../../base/index.ts";
import { makeAsk } from "../../formats/index.ts";
import type { Library, Skill, Suite } from "../../model/index.ts";
import { skillFiles, skillFilesFingerprint, withoutExam } from "../find/index.ts";
import { readSuitesByLibrary } from "../read/index.ts";
import type { ExamRequest } from "./exam.ts";
import { chosenPaths, findLibraries, withoutScripts } from "./gather/find-questions.ts";

/** Fingerprints of everything a run examines, by name. Equal maps lead to the same run. */
export type Examined = ReadonlyMap<string, string>;

export interface Change {
  name: string;
  how: "added" | "changed" | "removed";
}

const LIBRARY = "the library";

export async function examined(request: ExamRequest): Promise<Examined> {
  const { cwd, paths, flags } = request;
  const found = new Map(scripts(cwd, flags?.targets ?? []));
  // One file may contribute several fingerprints.
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
    // The library is half-edited. The run reports what is wrong.
    if (!(error instanceof UsageError)) throw error;
    found.set(LIBRARY, error.message);
  }
  return found;
}

function scripts(cwd: string, targets: readonly string[]): [string, string][] {
  return scriptNames(targets).map((file) => [file, fingerprint(readText(resolve(cwd, file)))]);
}

export function scriptFiles({ cwd, flags }: ExamRequest): string[] {
  return scriptNames(flags?.targets ?? []).map((file) => resolve(cwd, file));
}

function scriptNames(targets: readonly string[]): string[] {
  return targets.filter((id) => id.startsWith("script:")).map((id) => id.slice("script:".length));
}

export function changesOf(before: Examined, after: Examined): Change[] {
  // If one of them could not be read, what it lacks was not necessarily removed.
  if (before.has(LIBRARY) !== after.has(LIBRARY)) return [{ name: LIBRARY, how: "changed" }];
  const edited = [...after].filter(([name, print]) => before.get(name) !== print);
  return [
    ...edited.map(([name]): Change => ({ name, how: before.has(name) ? "changed" : "added" })),
    ...[...before.keys()].filter((name) => !after.has(name)).map((name): Change => ({ name, how: "removed" })),
  ];
}

/** If the root itself is a skill, the run's reports and logs land in its folder, so only documents count there. */
async function skillPrint(skill: Skill, { root }: Library): Promise<string> {
  if (skill.dir !== root) return skillFilesFingerprint(skill);
  const files = (await skillFiles(skill)).filter((file) => file.includes("/") || file.endsWith(".md"));
  return fingerprint(files.map((file) => [file, readText(join(root, file))]));
}

/** The key of an ask covers the content of the files that a question stages. */
function suitePrint(suite: Suite, library: Library): string {
  const asks = [...suite.triggers, ...suite.cases].map((question) => makeAsk(question, library).key);
  return fingerprint({ ...suite, asks });
}
