import type { Problem } from "../../base/index.ts";
import { type Checked, counts, isFixable, rulePage, shownPath } from "./checked.ts";

/** For programs: a stable, versioned document. Within a version, keys are added but never changed or removed. */
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
