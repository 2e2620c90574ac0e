import type { createColors } from "picocolors";
import { codeFrame, displayWidth, type Problem, printable, type Severity } from "../../base/index.ts";
import { type Checked, counts, isFixable, rulePage, shownPath } from "./checked.ts";

export interface TextOptions {
  colors: ReturnType<typeof createColors>;
  /** Columns of the terminal. */
  width: number;
  /** Errors only. */
  quiet: boolean;
  /** Also what is at info level. */
  verbose: boolean;
  /** The text of a file for its code frame; undefined where it cannot be read. */
  read(file: string): string | undefined;
}

/** The screen of `proctor check`: what is wrong, why, what to do, and one line that sums it up. */
export function checkText(checked: Checked, options: TextOptions): string {
  const shown = checked.problems.filter((problem) => isShown(problem.severity, options));
  const blocks = [...fixedLines(checked, options), ...shown.map((problem) => block(problem, checked, options))];
  return `${[...blocks, summary(checked, options)].join("\n\n")}\n`;
}

function isShown(severity: Severity, { quiet, verbose }: TextOptions): boolean {
  return severity === "error" || (severity === "warning" ? !quiet : verbose && !quiet);
}

function fixedLines({ fixed, cwd }: Checked, { colors }: TextOptions): string[] {
  if (fixed.length === 0) return [];
  return [fixed.map((problem) => `${colors.green("fixed")}  ${printable(place(problem, cwd))}  ${colors.dim(problem.code)}`).join("\n")];
}

function block(problem: Problem, { cwd }: Checked, options: TextOptions): string {
  const { colors } = options;
  const level = { error: colors.red, warning: colors.yellow, info: colors.blue }[problem.severity];
  const lines = [
    `${colors.bold(printable(place(problem, cwd)))}  ${level(problem.severity)}  ${problem.code}`,
    indent(printable(problem.message)),
  ];
  const frame = frameOf(problem, options);
  if (frame !== undefined) lines.push("", frame, "");
  lines.push(indent(footer(problem, options)));
  return lines.join("\n");
}

function place(problem: Problem, cwd: string): string {
  const { file, line, column } = problem.location;
  return [shownPath(file, cwd), line, line === undefined ? undefined : column].filter((part) => part !== undefined).join(":");
}

function frameOf({ location, severity }: Problem, { colors, width, read }: TextOptions): string | undefined {
  if (location.line === undefined) return undefined;
  const text = read(location.file);
  if (text === undefined) return undefined;
  const strong = severity === "error" ? colors.red : colors.yellow;
  return codeFrame(text, location.line, location.column, { width, paint: { strong, faint: colors.dim } });
}

/** What to do on the left, its page on the right where both fit in the line. */
function footer(problem: Problem, { colors, width }: TextOptions): string {
  const page = colors.dim(rulePage(problem.code));
  if (problem.fix === undefined) return page;
  const does = isFixable(problem) && !problem.fix.includes("--fix");
  const fix = `fix: ${printable(does ? `${problem.fix.replace(/\.$/, "")} (proctor check --fix does it)` : problem.fix)}`;
  const room = width - 2 - displayWidth(fix) - displayWidth(rulePage(problem.code));
  return room >= 2 ? `${fix}${" ".repeat(room)}${page}` : `${fix}\n${page}`;
}

function indent(text: string): string {
  return text
    .split("\n")
    .map((line) => `  ${line}`)
    .join("\n");
}

/** `2 errors, 5 warnings in 6 skills, 6 suites (0.09 s)`, and what is held back. */
function summary(checked: Checked, { colors, quiet, verbose }: Pick<TextOptions, "colors" | "quiet" | "verbose">): string {
  const { errors, warnings, infos, fixable } = counts(checked.problems);
  const found = [plural(errors, "error"), plural(warnings, "warning")].filter((_, index) => [errors, warnings][index]! > 0);
  const paint = errors > 0 ? colors.red : warnings > 0 ? colors.yellow : colors.green;
  const head = paint(found.length === 0 ? "No problems" : found.join(", "));
  const where = `${plural(checked.skills, "skill")}, ${plural(checked.suites, "suite")}`;
  const lines = [`${head} in ${where} ${colors.dim(`(${checked.seconds.toFixed(2)} s)`)}`];
  if (checked.fixed.length > 0) lines.push(`${checked.fixed.length} fixed`);
  if (fixable > 0) lines.push(`${fixable} can be fixed: proctor check --fix`);
  if (infos > 0 && (quiet || !verbose))
    lines.push(colors.dim(`${plural(infos, "note")} not shown: --verbose shows ${infos === 1 ? "it" : "them"}`));
  if (warnings > 0 && quiet) lines.push(colors.dim(`${plural(warnings, "warning")} not shown (--quiet)`));
  return lines.join("\n");
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
