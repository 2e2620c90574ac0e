import { Command } from "commander";
import type { Regraded } from "../runs/index.ts";

interface GradeFlags {
  reparse?: boolean;
  reporter: string[];
  quiet?: boolean;
  verbose?: boolean;
  config?: string;
}

/** Trials that are named one by one; the rest is counted. */
const NAMED = 20;

export function gradeCommand(): Command {
  return new Command("grade")
    .description("Grade a stored run again, into a new run, and show it. Nobody is asked.")
    .argument("[run]", "a run's id, its folder or its record.jsonl (default: the newest)")
    .option("--reparse", "read the agents' raw output again first, for what a fixed adapter now sees in it")
    .option("--reporter <list>", "terminal, json=FILE (repeat, or separate with commas)", collect, [])
    .option("--quiet", "only what must be acted on")
    .option("--verbose", "every failure and every row")
    .option("--config <file>", "configuration to use instead of the nearest proctor.config.*")
    .action(async (run: string | undefined, flags: GradeFlags) => {
      process.exitCode = await grade(run, flags);
    });
}

async function grade(run: string | undefined, flags: GradeFlags): Promise<number> {
  const [{ loadConfig }, { homeOf }, { regradeRecord }, { openRecord }, { readReporters, reportRun }] = await Promise.all([
    import("../options/index.ts"),
    import("../plan/index.ts"),
    import("../runs/index.ts"),
    import("../records/index.ts"),
    import("./run-report.ts"),
  ]);
  const cwd = process.cwd();
  const config = await loadConfig({ cwd, ...(flags.config !== undefined && { file: flags.config }) });
  const home = homeOf(cwd, config);
  const reporters = readReporters(flags.reporter, config.config.reporters);
  const source = await openRecord(home, run);
  const regraded = await regradeRecord(source, { home, config, ...(flags.reparse && { reparse: true }) });
  process.stderr.write(told(source.run, regraded));
  return reportRun({
    place: regraded.place,
    reporters,
    quiet: flags.quiet === true,
    verbose: flags.verbose === true,
    config: flags.config,
  });
}

function told(run: string, { trials, changed, kept, notes }: Regraded): string {
  const more = notes.length - NAMED;
  return [
    `${run} graded again: ${changed} of ${trials} trials came out differently.`,
    ...Object.entries(kept).map(([why, count]) => `${count} checks are as they were: ${why}.`),
    ...notes.slice(0, NAMED).map((note) => `not read again: ${note}.`),
    ...(more > 0 ? [`not read again: ${more} more.`] : []),
    "",
  ].join("\n");
}

function collect(value: string, before: string[]): string[] {
  return [...before, value];
}
