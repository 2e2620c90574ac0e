import { Command } from "commander";
import { count, relativePosix } from "../../base/index.ts";
import type { ImportedSuites } from "../../verbs/index.ts";
import { examples } from "../flags/help.ts";
import { addOptions } from "../flags/options.ts";
import { print } from "../printing/print.ts";

export function importCommand(): Command {
  const command = new Command("import")
    .description("Convert another tool's suites, in any format that Proctor reads, to native files.")
    .argument("<from>", "a suite file, or a folder with suites")
    .requiredOption("--to <folder>", "where to write <skill>/triggers.json and <skill>/evals.json")
    .option("--force", "replace files that differ", false);
  return addOptions(command, "import")
    .addHelpText(
      "after",
      examples(
        [
          ["proctor import evals --to imported", "every suite in a folder, as native files"],
          ["proctor import test/triggers.test.ts --to evals", "the labels in test code"],
        ],
        "suites.md",
      ),
    )
    .action(async (from: string, { to, force, json }: { to: string; force: boolean; json?: boolean }) => {
      const { importFrom } = await import("../../verbs/index.ts");
      const imported = await importFrom({ from, to, force });
      print(json ? `${JSON.stringify({ version: 1, ...imported }, null, 2)}\n` : summary(imported, from));
      if (imported.changed.length > 0) process.exitCode = 1;
    });
}

function summary({ written, lost, changed, problems, readTwice, root }: ImportedSuites, from: string): string {
  const cwd = process.cwd();
  const files = written.map(
    ({ file, triggers, cases, same }) =>
      `${same ? "same " : "wrote"} ${relativePosix(cwd, file)}  ${triggers > 0 ? count(triggers, "trigger") : count(cases, "case")}`,
  );
  const left = [
    ...problems.map(
      (problem) =>
        `${relativePosix(cwd, problem.location.file)}${problem.location.line === undefined ? "" : `:${problem.location.line}`}: ${problem.message}`,
    ),
    ...lost,
  ];
  const twice = `The originals in ${from} are still read, so every question would be asked twice.
next: compare (proctor check), then delete the originals or move them out of ${relativePosix(cwd, root) || "this folder"}`;
  return [
    ...files,
    ...(left.length > 0 ? ["", "not carried over:", ...left.map((line) => `  ${line}`)] : []),
    ...(changed.length > 0
      ? ["", "not the same question in the new file (exit code 1):", ...changed.map((line) => `  ${line}`)]
      : []),
    ...(readTwice ? ["", twice] : []),
    "",
  ].join("\n");
}
