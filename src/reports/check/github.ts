import type { Problem } from "../../base/index.ts";
import { type Checked, shownPath } from "./checked.ts";

/**
 * GitHub's workflow commands: each problem becomes an annotation on its line in the pull request.
 * Paths are relative to `checked.cwd`, which must be the root of the checkout for GitHub to find the file.
 */
export function checkGithub(checked: Checked): string {
  return checked.problems.map((problem) => `${command(problem, checked.cwd)}\n`).join("");
}

function command(problem: Problem, cwd: string): string {
  const { file, line, column } = problem.location;
  const properties = Object.entries({ file: shownPath(file, cwd), line, col: line === undefined ? undefined : column, title: problem.code })
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
