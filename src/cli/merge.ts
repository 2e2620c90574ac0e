import { Command } from "commander";

interface MergeFlags {
  reporter: string[];
  quiet?: boolean;
  verbose?: boolean;
  config?: string;
}

export function mergeCommand(): Command {
  return new Command("merge")
    .description("Put the records of a run's shards together into one run, and show it.")
    .argument("<records...>", "the shards: ids of runs, their folders or their record.jsonl, in any order")
    .option("--reporter <list>", "terminal, json=FILE (repeat, or separate with commas)", collect, [])
    .option("--quiet", "only what must be acted on")
    .option("--verbose", "every failure and every row")
    .option("--config <file>", "configuration to use instead of the nearest proctor.config.*")
    .action(async (records: string[], flags: MergeFlags) => {
      process.exitCode = await merge(records, flags);
    });
}

async function merge(records: string[], flags: MergeFlags): Promise<number> {
  const [{ loadConfig }, { homeOf }, { mergeRecords }, { openRecord }, { readReporters, reportRun }] = await Promise.all([
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
  const { place, twice, missing } = await mergeRecords(await Promise.all(records.map((record) => openRecord(home, record))), home);
  if (twice > 0) process.stderr.write(`${twice} trials were in more than one record; each is kept once.\n`);
  if (missing.length > 0) {
    const [shards, ask] = missing.length === 1 ? ["shard", "it asks"] : ["shards", "they ask"];
    process.stderr.write(`Missing: ${shards} ${missing.join(", ")}. What ${ask} has no verdict here.\n`);
  }
  return reportRun({ place, reporters, quiet: flags.quiet === true, verbose: flags.verbose === true, config: flags.config });
}

function collect(value: string, before: string[]): string[] {
  return [...before, value];
}
