import { count, printable, relativePosix } from "../../base/index.ts";
import type { RunResult } from "../../verbs/index.ts";
import { printError } from "../printing/print.ts";

const MOST = 10;

export function sayLock({ lock }: RunResult): void {
  if (lock === undefined) return;
  const file = relativePosix(process.cwd(), lock.file);
  const { differences, onlyPredictions, within, status, open } = lock;
  const without =
    open === 0 ? "" : `${count(open, "question")} without a verdict ${open === 1 ? "was" : "were"} left out`;
  if (status === "updated")
    printError(
      `${file} is written. Commit it, so that reviewers see routing changes.${without === "" ? "" : ` ${without}.`}\n`,
    );
  else if (status === "holds")
    printError(
      `${file} holds${within > 0 ? `; ${count(within, "prompt")} went to another skill, within noise` : ""}${without === "" ? "" : `; ${without}`}.\n`,
    );
  else {
    const shown = differences
      .slice(0, MOST)
      .map(({ question, message }) => `  ${printable(question === undefined ? message : `${question}: ${message}`)}\n`);
    const more = differences.length - shown.length;
    const decides = onlyPredictions
      ? "  Only predictions differ, and they fail nothing without --allow-predicted.\n"
      : "";
    printError(
      `${file} does not match:\n${shown.join("")}${more > 0 ? `  … and ${more} more\n` : ""}${decides}  If that is intended: proctor run --update-lock\n`,
    );
  }
}
