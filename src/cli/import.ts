import { resolve } from "node:path";
import { Command } from "commander";
import { count, isWithin, relativePosix, UsageError } from "../base/index.ts";

export function importCommand(): Command {
  return new Command("import")
    .description("Write the suites of another tool, in any format that Proctor reads, as native files.")
    .argument("<from>", "a suite file, or a folder with suites")
    .requiredOption("--to <folder>", "where to write <skill>/triggers.json and <skill>/evals.json")
    .option("--force", "replace files that differ", false)
    .action(async (from: string, options: { to: string; force: boolean }) => {
      await importFrom(from, options);
    });
}

async function importFrom(from: string, { to, force }: { to: string; force: boolean }): Promise<void> {
  const cwd = process.cwd();
  const [{ discover }, { importSuites }] = await Promise.all([import("../skills/index.ts"), import("../suites/index.ts")]);
  const found = await discover({ cwd, paths: [from] });
  // A folder of suites alone says little without its skills, which lie beside it.
  const { libraries, files, root } =
    found.libraries.some((library) => library.skills.length > 0) || !resolve(cwd, from).startsWith(cwd)
      ? found
      : await discover({ cwd, root: cwd });
  const { written, lost, problems } = await importSuites({
    library: libraries[0]!,
    files,
    from: resolve(cwd, from),
    to: resolve(cwd, to),
    force,
  });
  if (written.length === 0) throw new UsageError(`There is no suite in ${from}.`, "docs/suites.md lists the formats that are read.");
  for (const { file, triggers, cases, same } of written) {
    process.stdout.write(
      `${same ? "same " : "wrote"} ${shown(cwd, file)}  ${triggers > 0 ? count(triggers, "trigger") : count(cases, "case")}\n`,
    );
  }
  const left = [...problems.map((problem) => `${shown(cwd, problem.location.file)}: ${problem.message}`), ...lost];
  if (left.length > 0) process.stdout.write(`\nnot carried over:\n${left.map((line) => `  ${line}\n`).join("")}`);
  const areBothRead =
    [from, to].every((path) => isWithin(root, resolve(cwd, path))) && !written.some(({ file }) => file === resolve(cwd, from));
  if (areBothRead)
    process.stdout.write(
      `\nThe originals in ${from} are still read, so every question would be asked twice.\nnext: compare (proctor check), then delete the originals or move them out of ${shown(cwd, root) || "this folder"}\n`,
    );
}

function shown(cwd: string, file: string): string {
  return relativePosix(cwd, file);
}
