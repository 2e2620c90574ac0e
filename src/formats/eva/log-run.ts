import { dirname } from "node:path";
import { isWithin, relativePosix, VERSION } from "../../base/index.ts";
import type { Library, Scores, Suite, Verdict } from "../../model/index.ts";
import type { AfterRun } from "../format.ts";
import { appendEvaRow, type EvaFiles, type EvaRow, evaFiles } from "./log.ts";

const REHEARSAL = new Set(["embedded", "script", "replay"]);

/**
 * Appends a row to the `.eval.jsonl` of every prompt folder that a run on real models or agents covers whole. A run
 * that broke off is logged too, so that an older row is not the last word.
 * Files are fingerprinted before the run, because later edits were not examined.
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
 * As in eva, triggers count like cases, and a question without a verdict has failed. Undefined if a question was put to
 * no real target.
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
