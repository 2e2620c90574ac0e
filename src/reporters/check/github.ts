import type { Problem } from "../../base/index.ts";
import { type Checked, shownPath } from "./checked.ts";

/**
 * GitHub's workflow commands: each problem becomes an annotation on its line in the pull request.
 * Paths are relative to `checked.cwd`, which must be the root of the checkout for GitHub to find the file.
 */
export function checkGithub({ problems, cwd }: Checked): string {
  return (["error", "warning", "info"] as const)
    .flatMap((severity) =>
      withinLimits(
        level[severity],
        problems.filter((one) => one.severity === severity).map((one) => command(one, cwd)),
      ),
    )
    .map((line) => `${line}\n`)
    .join("");
}

/** GitHub shows so many of each level and step, and drops the rest without a word. */
const MOST = 10;

/** The last one of a level says how many there is no room for. */
export function withinLimits(of: "error" | "warning" | "notice", commands: readonly string[]): readonly string[] {
  if (commands.length <= MOST) return commands;
  const more = commands.length - MOST + 1;
  return [
    ...commands.slice(0, MOST - 1),
    `::${of} title=proctor::… and ${more} more: the summary and the report have them all.`,
  ];
}

function command(problem: Problem, cwd: string): string {
  const { file, line, column } = problem.location;
  const properties = Object.entries({
    file: shownPath(file, cwd),
    line,
    col: line === undefined ? undefined : column,
    title: problem.code,
  })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${escapeProperty(String(value))}`);
  const message = problem.fix === undefined ? problem.message : `${problem.message}\nfix: ${problem.fix}`;
  return `::${level[problem.severity]} ${properties.join(",")}::${escapeData(message)}`;
}

const level = { error: "error", warning: "warning", info: "notice" } as const;

/** As in the toolkit of GitHub Actions: these characters end a command or a property. */
export function escapeData(text: string): string {
  return text
    .replaceAll("%", "%25")
    .replaceAll("\r", "%0D")
    .replaceAll("\n", "%0A")
    .replace(/[\u0000-\u001f\u007f-\u009f]/g, " ");
}

export function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
