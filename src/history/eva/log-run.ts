import { isWithin, relativePosix, VERSION } from "../../base/index.ts";
import type { PreparedExam } from "../../exam/plan/index.ts";
import { describeFilters } from "../../exam/plan/index.ts";
import { type RecordPlace, readRecord } from "../../exam/record/index.ts";
import { scoreRecord } from "../../exam/score/index.ts";
import type { FooterLine, Scores, Suite, Verdict } from "../../model/index.ts";
import { appendEvaRow, type EvaFiles, type EvaRow, evaFiles } from "./log.ts";

/** Targets whose word does not make a prompt `ready`. */
const REHEARSAL = new Set(["embedded", "script", "replay"]);

/** What a run on eva's prompts examines, by folder. Taken before it: what is edited meanwhile was not examined. */
export async function evaEvidence({ prompts }: PreparedExam): Promise<ReadonlyMap<string, EvaFiles>> {
  const evidence = new Map<string, EvaFiles>();
  for (const { dir, suite } of prompts) {
    const inputs = suite.cases.flatMap(({ template }) => template?.inputsFile ?? []);
    const elsewhere = [...new Set(inputs)].filter((file) => !isWithin(dir, file));
    evidence.set(dir, await evaFiles(dir, elsewhere));
  }
  return evidence;
}

/**
 * Appends one row to the `.eval.jsonl` of every eva prompt that this run was to examine whole, on real models or agents, with how it
 * ended: a run that broke off must not leave the row of an older one as the last word.
 */
export async function logEva(
  exam: PreparedExam,
  place: RecordPlace,
  footer: FooterLine,
  evidence: ReadonlyMap<string, EvaFiles>,
): Promise<void> {
  const { options, prompts, targets } = exam;
  const whole = options.shard === undefined && describeFilters(options.filters).length === 0;
  if (prompts.length === 0 || !whole || targets.every(({ target }) => REHEARSAL.has(target.kind))) return;
  const verdicts = verdictsOf(await scoreRecord(readRecord(place.file)));
  for (const { dir, suite } of prompts) {
    const row = rowOf(suite, relativePosix(exam.library.root, suite.file), verdicts);
    if (row === undefined) continue;
    if (footer.how !== "complete") row.all_passed = false;
    const real = targets.map(({ target }) => target.id);
    const files = evidence.get(dir) ?? {};
    appendEvaRow(dir, { ...row, proctor: { run: place.run, version: VERSION, targets: real, how: footer.how, files } });
  }
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

/** Triggering counts like the cases do, and what has no verdict counts as failed, as eva has it. Undefined when a question was put to no real target. */
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
