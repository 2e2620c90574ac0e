import { dirname, join } from "node:path";
import { isMachineFolder, kindAt, listFolder, relativePosix } from "../../base/index.ts";
import type { Library, Skill } from "../../model/index.ts";

const MOST_FILES = 10_000;

/** Marks the files that were read as suites, so that no examinee sees them. */
export function withoutExam(library: Library, suites: Iterable<string>): Library {
  const byFolder = new Map(library.skills.map(({ dir }) => [dir, [] as string[]]));
  // Goes up from each file instead of testing every skill: a library may have thousands of both.
  for (const file of suites) for (const folder of foldersAbove(file)) byFolder.get(folder)?.push(file);
  const skills = library.skills.map((skill) => {
    const exam = byFolder.get(skill.dir) ?? [];
    return exam.length === 0 ? skill : { ...skill, exam };
  });
  return { ...library, skills };
}

function foldersAbove(file: string): string[] {
  const folders: string[] = [];
  for (let at = file; dirname(at) !== at; at = dirname(at)) folders.push(dirname(at));
  return folders;
}

/**
 * The files of a skill, relative to its folder, with forward slashes, sorted. Leaves out its exam (`evals/` and suite
 * files), so that no examinee can read the answers, and links that lead out of the root.
 */
export async function skillFiles(skill: Skill): Promise<string[]> {
  const found: string[] = [];
  const exam = new Set(skill.exam);
  const visit = (folder: string, depth: number) => {
    for (const entry of listFolder(folder)) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        if (depth < 16 && !isLeftOut(entry.name)) visit(path, depth + 1);
      } else if (
        isRegular(entry, path, skill.root ?? skill.dir) &&
        !isExamFile(entry.name) &&
        !exam.has(path) &&
        found.length < MOST_FILES
      ) {
        found.push(relativePosix(skill.dir, path));
      }
    }
  };
  visit(skill.dir, 0);
  return found.sort();
}

function isRegular(entry: { isFile(): boolean; isSymbolicLink(): boolean }, path: string, root: string): boolean {
  return entry.isFile() || (entry.isSymbolicLink() && kindAt(path, root) === "file");
}

function isLeftOut(name: string): boolean {
  return isMachineFolder(name) || /^evals?$/i.test(name);
}

function isExamFile(name: string): boolean {
  return (
    /^(?:(?:evals?|triggers?)(?:[-_.].*)?|.*[-_.]evals?)\.(?:jsonc?|jsonl|ya?ml|csv)$/i.test(name) ||
    name === ".DS_Store"
  );
}
