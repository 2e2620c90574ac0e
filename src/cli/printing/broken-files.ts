import { type Problem, printable, relativePosix } from "../../base/index.ts";
import { printError } from "./print.ts";

const MOST_BROKEN = 10;

export function printBroken(problems: readonly Problem[]): void {
  const shown = problems.slice(0, MOST_BROKEN);
  for (const [index, { location, message, fix }] of shown.entries()) {
    const file = relativePosix(process.cwd(), location.file);
    const place = [file, location.line, location.column].filter((part) => part !== undefined).join(":");
    printError(
      `${place}  error  ${printable(message)}\n${fix === undefined || fix === shown[index + 1]?.fix ? "" : `  fix: ${printable(fix)}\n`}`,
    );
  }
  if (problems.length > MOST_BROKEN)
    printError(`… and ${problems.length - MOST_BROKEN} more: proctor check shows all\n`);
}

/** Printed last, where it is seen: the report above covers only what could be asked. */
export function sayBroken(broken: readonly Problem[]): void {
  if (broken.length === 0) return;
  const files = new Set(broken.map(({ location }) => location.file)).size;
  printBroken(broken);
  const what = files === 1 ? "One file has errors" : `${files} files have errors`;
  printError(
    `${what}, and the questions that need ${files === 1 ? "it" : "them"} were left out: exit code 2. Fix the errors, or pass --keep-going to accept that.\n`,
  );
}
