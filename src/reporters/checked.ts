import { isAbsolute, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { type Problem, type Severity, toPosix } from "../base/index.ts";

/** A rule, with its usual level. */
export interface CheckedRule {
  code: string;
  severity: Severity;
  /** One sentence: what it finds. */
  summary: string;
}

/** What a check found: everything its renderers need. */
export interface Checked {
  /** Files are shown relative to it. */
  cwd: string;
  /** In the order of `ordered`, at the levels the configuration gives them. */
  problems: Problem[];
  /** Fixed by `--fix`; not among the problems. */
  fixed: Problem[];
  rules: CheckedRule[];
  skills: number;
  /** Further folders with a copy of one of these skills. */
  copies: number;
  suites: number;
  questions: number;
  seconds: number;
}

export interface Counts {
  errors: number;
  warnings: number;
  infos: number;
  fixable: number;
}

export function counts(problems: readonly Problem[]): Counts {
  const count = (severity: Severity) => problems.filter((problem) => problem.severity === severity).length;
  return {
    errors: count("error"),
    warnings: count("warning"),
    infos: count("info"),
    fixable: problems.filter(isFixable).length,
  };
}

export function isFixable(problem: Problem): boolean {
  return problem.edits !== undefined && problem.edits.length > 0;
}

/** By file, then by place in it, then by code; each problem once. */
export function ordered(problems: readonly Problem[], cwd: string): Problem[] {
  const keyed = problems.map((problem) => ({ problem, file: shownPath(problem.location.file, cwd) }));
  keyed.sort(
    (a, b) =>
      compare(a.file, b.file) ||
      (a.problem.location.line ?? 0) - (b.problem.location.line ?? 0) ||
      (a.problem.location.column ?? 0) - (b.problem.location.column ?? 0) ||
      compare(a.problem.code, b.problem.code) ||
      compare(a.problem.message, b.problem.message),
  );
  return keyed.map((entry) => entry.problem).filter((problem, index, all) => !same(problem, all[index - 1]));
}

function same(a: Problem, b: Problem | undefined): boolean {
  return (
    b !== undefined &&
    a.code === b.code &&
    a.message === b.message &&
    a.location.file === b.location.file &&
    a.location.line === b.location.line &&
    a.location.column === b.location.column
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A path relative to `cwd`, with forward slashes; `.` is the folder itself. */
export function shownPath(file: string, cwd: string): string {
  const path = relative(cwd, file);
  return path === "" ? "." : toPosix(path);
}

/** A relative URI below `cwd`, else an absolute one. */
export function shownUri(file: string, cwd: string): string {
  const path = shownPath(file, cwd);
  if (path.startsWith("../") || path === ".." || isAbsolute(path)) return pathToFileURL(file).href;
  return uriOf(path);
}

/** A file name may hold lone surrogates, which no URI can. */
export function uriOf(path: string): string {
  return path
    .replace(/\p{Surrogate}/gu, "\ufffd")
    .split("/")
    .map(encodeURIComponent)
    .join("/");
}

/** The rule's page, as a path in the package. */
export function rulePage(code: string): string {
  return `docs/rules/${ruleName(code)}.md`;
}

/** The name by which `proctor explain` knows a rule. */
export function ruleName(code: string): string {
  return code.slice(code.indexOf("/") + 1);
}
