import picocolors from "picocolors";
import {
  codeFrame,
  count,
  displayWidth,
  fitColumns,
  type Problem,
  printable,
  type Severity,
} from "../../base/index.ts";
import { type Checked, counts, isFixable, ruleName, shownPath } from "../checked.ts";
import type { CheckRenderOptions } from "../reporter.ts";

interface TextOptions extends Required<Pick<CheckRenderOptions, "width" | "quiet" | "verbose" | "again" | "read">> {
  colors: ReturnType<typeof picocolors.createColors>;
}

export function checkText(checked: Checked, given: CheckRenderOptions): string {
  const { color = false, width = 100, quiet = false, verbose = false, again = "", read = () => undefined } = given;
  const options: TextOptions = { colors: picocolors.createColors(color), width, quiet, verbose, again, read };
  const shown = checked.problems.filter((problem) => isShown(problem.severity, options));
  const blocks = [
    ...fixedLines(checked, options),
    ...grouped(shown, options).map((group) => groupBlock(group, checked, options)),
  ];
  return `${[...blocks, summary(checked, options)].join("\n\n")}\n`;
}

function isShown(severity: Severity, { quiet, verbose }: TextOptions): boolean {
  return severity === "error" || (severity === "warning" ? !quiet : verbose && !quiet);
}

/** Problems of one code and severity: the first is shown in full, the others by location. */
type ProblemGroup = [Problem, ...Problem[]];

function grouped(problems: readonly Problem[], { verbose }: TextOptions): ProblemGroup[] {
  if (verbose) return problems.map((problem) => [problem]);
  const groups = new Map<string, ProblemGroup>();
  for (const problem of problems) {
    const key = `${problem.code} ${problem.severity}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [problem]);
    else group.push(problem);
  }
  return [...groups.values()];
}

/** Further locations shown per warning code. Errors show all, or the first in each file if there are many. */
const MOST_ALIKE = 5;
const MOST_ERRORS = 12;

function groupBlock([first, ...others]: ProblemGroup, checked: Checked, options: TextOptions): string {
  const whole = block(first, checked, options);
  if (others.length === 0) return whole;
  const { colors } = options;
  const line = (problem: Problem) => placeLine(problem, first, checked.cwd, options);
  const isError = first.severity === "error";
  const shown = isError
    ? others.length > MOST_ERRORS
      ? fileLines(others, line)
      : others.map(line)
    : others.slice(0, MOST_ALIKE).map(line);
  const more = isError ? 0 : others.length - shown.length;
  const isSame = others.every(({ message, fix }) => message === first.message && fix === first.fix);
  const alike = isSame
    ? `the same ${first.severity} in ${count(others.length, "more place")}`
    : `${others.length} more of ${first.code}`;
  const lines = [
    `${alike}${shown.length < others.length && isError ? " (--verbose shows all)" : ""}:`,
    ...shown,
    ...(more > 0 ? [colors.dim(`  … and ${more} more: --verbose shows all`)] : []),
  ];
  return `${whole}\n${indent(lines.join("\n"))}`;
}

function fileLines(problems: readonly Problem[], line: (problem: Problem) => string): string[] {
  const files = new Map<string, ProblemGroup>();
  for (const problem of problems) {
    const group = files.get(problem.location.file);
    if (group === undefined) files.set(problem.location.file, [problem]);
    else group.push(problem);
  }
  return [...files.values()].map(([one, ...rest]) => {
    if (rest.length === 0) return line(one);
    const lines = rest.flatMap(({ location }) => location.line ?? []);
    const named =
      lines.length === 0
        ? ""
        : `: line${lines.length === 1 ? "" : "s"} ${lines.slice(0, 6).join(", ")}${lines.length > 6 ? " …" : ""}`;
    // The message of the first applies only to it.
    return `${line({ ...one, message: "" }).trimEnd()} and ${rest.length} more${named}`;
  });
}

function placeLine(problem: Problem, first: Problem, cwd: string, { colors, width }: TextOptions): string {
  const at = `  ${printable(place(problem, cwd))}`;
  const room = width - displayWidth(at) - 6;
  const meant =
    problem.fix?.startsWith("Did you mean") && problem.fix !== first.fix ? ` ${printable(problem.fix)}` : "";
  if (((problem.message === first.message || problem.message === "") && meant === "") || room < 30) return at;
  const message = printable(problem.message).replaceAll("\n", " ");
  // The suggested name matters more than the words around it.
  const left = room - displayWidth(meant);
  return `${at}  ${colors.dim(left < 20 ? fitted(`${message}${meant}`, room) : `${fitted(message, left)}${meant}`)}`;
}

function fitted(text: string, room: number): string {
  return displayWidth(text) <= room ? text : `${fitColumns(text, room - 1).trimEnd()}…`;
}

function fixedLines({ fixed, cwd }: Checked, { colors }: TextOptions): string[] {
  if (fixed.length === 0) return [];
  return [
    fixed
      .map((problem) => `${colors.green("fixed")}  ${printable(place(problem, cwd))}  ${colors.dim(problem.code)}`)
      .join("\n"),
  ];
}

function block(problem: Problem, { cwd }: Checked, options: TextOptions): string {
  const { colors } = options;
  const level = { error: colors.red, warning: colors.yellow, info: colors.blue }[problem.severity];
  const lines = [
    `${colors.bold(printable(place(problem, cwd)))}  ${level(problem.severity)}  ${problem.code}`,
    indent(wrapped(printable(problem.message), options.width - 2)),
  ];
  const frame = frameOf(problem, options);
  if (frame !== undefined) lines.push("", frame, "");
  lines.push(indent(footer(problem, options)));
  return lines.join("\n");
}

function place(problem: Problem, cwd: string): string {
  const { file, line, column } = problem.location;
  return [shownPath(file, cwd), line, line === undefined ? undefined : column]
    .filter((part) => part !== undefined)
    .join(":");
}

function frameOf({ location, severity }: Problem, { colors, width, read }: TextOptions): string | undefined {
  if (location.line === undefined) return undefined;
  const text = read(location.file);
  if (text === undefined) return undefined;
  const strong = severity === "error" ? colors.red : colors.yellow;
  return codeFrame(
    text,
    { line: location.line, column: location.column },
    { width, paint: { strong, faint: colors.dim } },
  );
}

function footer(problem: Problem, { colors, width }: TextOptions): string {
  const explained = `proctor explain ${ruleName(problem.code)}`;
  const page = colors.dim(explained);
  if (problem.fix === undefined) return page;
  const does = isFixable(problem) && !problem.fix.includes("--fix");
  const text = `fix: ${printable(does ? `${problem.fix.replace(/\.$/, "")} (proctor check --fix does it)` : problem.fix)}`;
  const fix = wrapped(text, width - 2);
  const room = width - 2 - displayWidth(fix.slice(fix.lastIndexOf("\n") + 1)) - displayWidth(explained);
  return room >= 2 ? `${fix}${" ".repeat(room)}${page}` : `${fix}\n${page}`;
}

/** Breaks between words. Long words are not cut, because they may be paths or commands. */
function wrapped(text: string, width: number): string {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const joined = lines.length === 0 ? word : `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && displayWidth(joined) <= width) lines[lines.length - 1] = joined;
    else lines.push(word);
  }
  return lines.join("\n");
}

function indent(text: string): string {
  return text
    .split("\n")
    .map((line) => `  ${line}`)
    .join("\n");
}

function summary(checked: Checked, { colors, quiet, verbose, again }: TextOptions): string {
  const { errors, warnings, infos, fixable } = counts(checked.problems);
  const found = [errors > 0 ? count(errors, "error") : "", warnings > 0 ? count(warnings, "warning") : ""].filter(
    Boolean,
  );
  const paint = errors > 0 ? colors.red : warnings > 0 ? colors.yellow : colors.green;
  const head = paint(found.length === 0 ? "No problems" : found.join(", "));
  const copies =
    checked.copies === 0 ? "" : ` (and ${checked.copies} ${checked.copies === 1 ? "copy" : "copies"} of them)`;
  const where = `${count(checked.skills, "skill")}${copies}, ${count(checked.suites, "suite")}`;
  const lines = [`${head} in ${where} ${colors.dim(`(${checked.seconds.toFixed(2)} s)`)}`];
  if (checked.fixed.length > 0) lines.push(`${checked.fixed.length} fixed`);
  if (fixable > 0) lines.push(`${fixable} can be fixed: proctor check${again} --fix`);
  if (infos > 0 && (quiet || !verbose))
    lines.push(colors.dim(`${count(infos, "note")} not shown: --verbose shows ${infos === 1 ? "it" : "them"}`));
  if (warnings > 0 && quiet) lines.push(colors.dim(`${count(warnings, "warning")} not shown (--quiet)`));
  return lines.join("\n");
}
