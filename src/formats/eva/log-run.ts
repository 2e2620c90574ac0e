import { dirname } from "node:path";
import { isWithin, relativePosix, VERSION } from "../../base/index.ts";
import type { Library, Scores, Suite, Verdict } from "../../model/index.ts";
import type { AfterRun } from "../format.ts";
import { appendEvaRow, type EvaFiles, type EvaRow, evaFiles } from "./log.ts";

/** Targets whose word does not make a prompt `ready`. */
const REHEARSAL = new Set(["embedded", "script", "replay"]);

/**
 * Appends one row to the `.eval.jsonl` of every prompt folder that a run was to examine whole, on real models or
 * agents, with how it
 * ended: a run that broke off must not leave the row of an older one as the last word.
 * Files are fingerprinted before the run, because what is edited meanwhile was not examined.
 */
export async function logRun(suites: readonly Suite[], library: Library): Promise<AfterRun> {
  const dirs = new Set(library.skills.filter(({ source }) => source.kind === "eva").map(({ dir }) => dir));
  const prompts: { dir: string; suite: Suite; files: EvaFiles }[] = [];
  for (const suite of suites) {
    const dir = dirname(suite.file);
    if (dirs.has(dir)) prompts.push({ dir, suite, files: await examinedFiles(dir, suite) });
  }
  return async ({ id, how, isWhole, targets, scores }) => {
    if (prompts.length === 0 || !isWhole || targets.every(({ kind }) => REHEARSAL.has(kind))) return;
    const verdicts = verdictsOf(await scores());
    for (const { dir, suite, files } of prompts) {
      const row = rowOf(suite, relativePosix(library.root, suite.file), verdicts);
      if (row === undefined) continue;
      if (how !== "complete") row.all_passed = false;
      const ids = targets.map((target) => target.id);
      appendEvaRow(dir, { ...row, proctor: { run: id, version: VERSION, targets: ids, how, files } });
    }
  };
}

function examinedFiles(dir: string, suite: Suite): Promise<EvaFiles> {
  const inputs = suite.cases.flatMap(({ template }) => template?.inputsFile ?? []);
  return evaFiles(
    dir,
    [...new Set(inputs)].filter((file) => !isWithin(dir, file)),
  );
}

/** Every verdict on a question, on the real targets that were not told to skip it. */
function verdictsOf({ targets }: Scores): Map<string, Verdict[]> {
  const verdicts = new Map<string, Verdict[]>();
  for (const { kind, questions } of targets) {
    if (REHEARSAL.has(kind)) continue;
    for (const { id, status, verdict } of questions) {
      if (status !== "skipped") verdicts.set(id, [...(verdicts.get(id) ?? []), verdict]);
    }
  }
  return verdicts;
}

/**
 * Triggering counts like the cases do, and what has no verdict counts as failed, as eva has it. Undefined when a
 * question was put to no real target.
 */
function rowOf(suite: Suite, file: string, verdicts: ReadonlyMap<string, Verdict[]>): EvaRow | undefined {
  const failed: string[] = [];
  const questions = [...suite.triggers, ...suite.cases];
  for (const question of questions) {
    const found = verdicts.get(`${file}#${question.id}`);
    if (found === undefined) return undefined;
    if (found.some((verdict) => verdict !== "pass")) failed.push(nameOf(question));
  }
  const total = questions.length;
  return {
    ts: new Date().toISOString(),
    all_passed: failed.length === 0,
    total,
    passed: total - failed.length,
    failed_cases: failed,
  };
}

function nameOf(question: Suite["triggers"][number] | Suite["cases"][number]): string {
  if (question.kind === "case") return question.name ?? question.id;
  return `${question.expect.required_skills.length > 0 ? "should_match" : "should_not_match"}: ${question.query}`;
}
