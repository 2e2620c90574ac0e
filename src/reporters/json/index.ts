import type { Problem } from "../../base/index.ts";
import { agreements, exitCode, winnerOf } from "../../exam/score/index.ts";
import { agreementOf, type ComparedRun, type ComparedRuns } from "../../history/index.ts";
import type { QuestionScore, Scores } from "../../model/index.ts";
import { type Checked, counts, isFixable, rulePage, shownPath } from "../checked.ts";
import type { RenderOptions, Reporter } from "../reporter.ts";
import { rounded } from "../text/numbers.ts";
import { type JsonReport, REPORT_VERSION } from "./schema.ts";

export const json: Reporter = {
  name: "json",
  about: "for machines: every score, question and cause; docs/json-report.md",
  render: renderJson,
  compare: compareJson,
  check: checkJson,
};

export function renderJson(scores: Scores, { notes = [] }: RenderOptions = {}): string {
  const { run, options, plan, gates, targets } = scores;
  const report: JsonReport = {
    version: REPORT_VERSION,
    exitCode: exitCode(scores),
    run,
    options: { ...options, gates: options.gates.map((gate) => gate.text) },
    plan,
    gates: gates.map((result) => ({ ...result, gate: result.gate.text })),
    agreements: agreements(scores),
    targets: targets.map((target) => ({ ...target, identity: { ...target.identity } })),
  };
  if (notes.length > 0) Object.assign(report, { notes: { all: notes, agreement: agreementOf(notes, scores) } });
  return `${JSON.stringify(report, rounded, 2)}\n`;
}

/** A stable, versioned document: within a version, keys are added but never changed or removed. */
export function checkJson(checked: Checked): string {
  const { errors, warnings, infos, fixable } = counts(checked.problems);
  const document = {
    version: 1,
    problems: checked.problems.map((problem) => entry(problem, checked.cwd)),
    fixed: checked.fixed.map((problem) => entry(problem, checked.cwd)),
    summary: {
      errors,
      warnings,
      infos,
      fixable,
      fixed: checked.fixed.length,
      skills: checked.skills,
      suites: checked.suites,
      questions: checked.questions,
    },
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function entry(problem: Problem, cwd: string) {
  const { file, line, column } = problem.location;
  return {
    code: problem.code,
    severity: problem.severity,
    message: problem.message,
    fix: problem.fix,
    file: shownPath(file, cwd),
    line,
    column: line === undefined ? undefined : column,
    fixable: isFixable(problem),
    docs: rulePage(problem.code),
  };
}

/** A stable, versioned document: within a version, keys are added but never changed or removed. */
function compareJson(compared: ComparedRuns): string {
  const { before, now, differences, targets, only, gates, exitCode } = compared;
  const report = {
    version: 1,
    exitCode,
    before: sideOf(before),
    now: sideOf(now),
    differences,
    targets: targets.map(({ comparison, changes, causes, regressions, visible }) => ({
      ...comparison,
      improved: comparison.improved.map(shortened),
      worsened: comparison.worsened.map(shortened),
      unsure: {
        lost: comparison.unsure.lost.map(shortened),
        pass: comparison.unsure.pass.map(shortened),
        fail: comparison.unsure.fail.map(shortened),
      },
      lost: comparison.lost.map(shortened),
      unaskable: comparison.unaskable.map(shortened),
      only: { before: comparison.only.before.map(shortened), now: comparison.only.now.map(shortened) },
      newThefts: comparison.newThefts.map(({ thief, question }) => ({ thief, question: question.id })),
      design: comparison.design && { ...comparison.design, asks: comparison.design.asks.length },
      changes,
      causes,
      regressions,
      visible,
    })),
    only,
    gates: gates.map((result) => ({ ...result, gate: result.gate.text })),
  };
  return `${JSON.stringify(report, rounded, 2)}\n`;
}

function sideOf({ record, scores, revision, leftOut }: ComparedRun) {
  const { startedAt, library, suite, git, how, damage } = scores.run;
  return {
    ...{
      run: record.run,
      revision,
      startedAt,
      library: library.fingerprint,
      skills: library.skills,
      suite: suite.fingerprint,
    },
    ...{ git, how, damage: damage?.length, leftOut },
  };
}

function shortened(question: QuestionScore) {
  const { id, name, skill, prompt, verdict, hits, measured, source, why } = question;
  return { id, name, skill, prompt, verdict, hits, measured, won: winnerOf(question), source, why };
}
