import { isAbsolute, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { type Problem, type Severity, toPosix } from "../base/index.ts";

export interface CheckedRule {
  code: string;
  severity: Severity;
  summary: string;
}

export interface Checked {
  /** Files are shown relative to this folder. */
  cwd: string;
  /** Sorted by `ordered`, with the severities that the configuration sets. */
  problems: Problem[];
  /** Problems fixed by `--fix`, which `problems` omits. */
  fixed: Problem[];
  rules: CheckedRule[];
  skills: number;
  /** Number of further folders with a copy of one of these skills. */
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

/** Sorts by file, position and code, and drops duplicates. */
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

export function shownPath(file: string, cwd: string): string {
  const path = relative(cwd, file);
  return path === "" ? "." : toPosix(path);
}

export function shownUri(file: string, cwd: string): string {
  const path = shownPath(file, cwd);
  if (path.startsWith("../") || path === ".." || isAbsolute(path)) return pathToFileURL(file).href;
  return uriOf(path);
}

/** File names may contain lone surrogates, which a URI cannot encode. */
export function uriOf(path: string): string {
  return path
    .replace(/\p{Surrogate}/gu, "\ufffd")
    .split("/")
    .map(encodeURIComponent)
    .join("/");
}

export function rulePage(code: string): string {
  return `docs/rules/${ruleName(code)}.md`;
}

export function ruleName(code: string): string {
  return code.slice(code.indexOf("/") + 1);
}
