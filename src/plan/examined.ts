import { join, resolve } from "node:path";
import { fingerprint, readText, relativePosix, UsageError } from "../base/index.ts";
import { type Library, type Skill, skillFiles, skillFilesFingerprint } from "../skills/index.ts";
import { makeAsk, readSuitesByLibrary, type Suite } from "../suites/index.ts";
import { chosenPaths, findLibraries } from "./gather/find-questions.ts";
import type { ExamRequest } from "./prepare.ts";

/** What a run examines, by name, each with its fingerprint: two that are equal lead to the same run. */
export type Examined = ReadonlyMap<string, string>;

export async function examined(request: ExamRequest): Promise<Examined> {
  const { cwd, paths, flags } = request;
  const found = new Map(scripts(cwd, flags?.targets ?? []));
  try {
    const discovery = await findLibraries(request);
    const chosen = paths && chosenPaths(discovery.libraries, cwd, paths);
    for (const { library, suites, problems } of await readSuitesByLibrary({ ...discovery, paths: chosen })) {
      for (const skill of library.skills) found.set(`skill ${skill.id}`, await skillPrint(skill, library));
      for (const problem of problems) found.set(relativePosix(library.root, problem.location.file), fingerprint(problem));
      for (const suite of suites) found.set(relativePosix(library.root, suite.file), suitePrint(suite, library));
    }
  } catch (error) {
    // Half-edited: what is wrong is said by the run.
    if (!(error instanceof UsageError)) throw error;
    found.set("the library", error.message);
  }
  return found;
}

/** An edit of a script changes who answers. */
function scripts(cwd: string, targets: readonly string[]): [string, string][] {
  const files = targets.filter((id) => id.startsWith("script:")).map((id) => id.slice("script:".length));
  return files.map((file) => [file, fingerprint(readText(resolve(cwd, file)))]);
}

/** The first name that differs: edited, new, or gone. */
export function firstChange(before: Examined, after: Examined): string | undefined {
  const edited = [...after].find(([name, print]) => before.get(name) !== print)?.[0];
  return edited ?? [...before.keys()].find((name) => !after.has(name));
}

/** Where the root itself is a skill, reports and logs of the run land in its folder: of what lies right in it only documents count. */
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
