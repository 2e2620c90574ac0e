import { Command } from "commander";
import type { ImportedSuites } from "../api/index.ts";
import { count, relativePosix } from "../base/index.ts";
import { print } from "./print.ts";

export function importCommand(): Command {
  return new Command("import")
    .description("Write the suites of another tool, in any format that Proctor reads, as native files.")
    .argument("<from>", "a suite file, or a folder with suites")
    .requiredOption("--to <folder>", "where to write <skill>/triggers.json and <skill>/evals.json")
    .option("--force", "replace files that differ", false)
    .action(async (from: string, { to, force }: { to: string; force: boolean }) => {
      const { importFrom } = await import("../api/index.ts");
      print(summary(await importFrom({ from, to, force }), from));
    });
}

function summary({ written, lost, problems, readTwice, root }: ImportedSuites, from: string): string {
  const cwd = process.cwd();
  const files = written.map(
    ({ file, triggers, cases, same }) =>
      `${same ? "same " : "wrote"} ${relativePosix(cwd, file)}  ${triggers > 0 ? count(triggers, "trigger") : count(cases, "case")}`,
  );
  const left = [...problems.map((problem) => `${relativePosix(cwd, problem.location.file)}: ${problem.message}`), ...lost];
  const twice = `The originals in ${from} are still read, so every question would be asked twice.
next: compare (proctor check), then delete the originals or move them out of ${relativePosix(cwd, root) || "this folder"}`;
  return [
    ...files,
    ...(left.length > 0 ? ["", "not carried over:", ...left.map((line) => `  ${line}`)] : []),
    ...(readTwice ? ["", twice] : []),
    "",
  ].join("\n");
}
