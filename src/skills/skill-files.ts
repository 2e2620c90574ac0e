import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { isWithin, relativePosix } from "../base/index.ts";
import type { Library, Skill } from "./skill.ts";

const MOST_FILES = 10_000;

/** The library as an examinee may see it: without the files that were read as suites. */
export function withoutExam(library: Library, suites: Iterable<string>): Library {
  const files = [...suites];
  const skills = library.skills.map((skill) => {
    const exam = files.filter((file) => isWithin(skill.dir, file));
    return exam.length === 0 ? skill : { ...skill, exam };
  });
  return { ...library, skills };
}

/**
 * The files of a skill that belong to it, relative to its folder, with forward slashes, sorted. Its exam does not: what is in
 * `evals/` and every suite file stays out, so that no examinee can read the answers.
 */
export async function skillFiles(skill: Skill): Promise<string[]> {
  const found: string[] = [];
  const exam = new Set(skill.exam);
  const visit = (folder: string, depth: number) => {
    for (const entry of entries(folder)) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        if (depth < 16 && !isExamFolder(entry.name)) visit(path, depth + 1);
      } else if (isRegular(entry, path) && !isExamFile(entry.name) && !exam.has(path) && found.length < MOST_FILES) {
        found.push(relativePosix(skill.dir, path));
      }
    }
  };
  visit(skill.dir, 0);
  return found.sort();
}

function entries(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function isRegular(entry: { isFile(): boolean; isSymbolicLink(): boolean }, path: string): boolean {
  if (entry.isFile()) return true;
  if (!entry.isSymbolicLink()) return false;
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function isExamFolder(name: string): boolean {
  return /^(evals?|node_modules|__pycache__|\.git|\.proctor)$/i.test(name);
}

/** As people name suites: triggers.json, trigger_tests.yaml, trigger-eval.json, evals.json, eval.yml, eval_queries.json, x.eval.yaml. */
function isExamFile(name: string): boolean {
  return /^(?:(?:evals?|triggers?)(?:[-_.].*)?|.*[-_.]evals?)\.(?:jsonc?|jsonl|ya?ml|csv)$/i.test(name) || name === ".DS_Store";
}
