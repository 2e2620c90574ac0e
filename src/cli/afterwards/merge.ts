import { Command } from "commander";
import { examples } from "../flags/help.ts";
import { addOptions } from "../flags/options.ts";
import { printError } from "../printing/print.ts";
import type { ReportFlags } from "../printing/print-report.ts";

export function mergeCommand(): Command {
  const command = new Command("merge")
    .description("Merge the records of a run's shards into one run, and show it.")
    .argument("<records...>", "the shards: ids of runs, their folders or their record.jsonl, in any order");
  return addOptions(command, "merge")
    .addHelpText(
      "after",
      examples(
        [
          ["proctor merge shard-1 shard-2 shard-3", "three shards, as folders that were downloaded"],
          ["proctor merge 2026-11-15-a 2026-11-15-b", "two that are kept here"],
        ],
        "run.md",
      ),
    )
    .action(async (records: string[], flags: ReportFlags) => {
      process.exitCode = await merge(records, flags);
    });
}

async function merge(records: string[], flags: ReportFlags): Promise<number> {
  const [api, { printReport, readReporters }] = await Promise.all([
    import("../../verbs/index.ts"),
    import("../printing/print-report.ts"),
  ]);
  const reporters = await readReporters(flags);
  const run = await api.merge({ records, config: flags.config });
  const { twice, missing } = run.merged;
  if (twice > 0) printError(`${twice} trials were in more than one record; each is kept once.\n`);
  if (missing.length > 0) {
    const [shards, ask] = missing.length === 1 ? ["shard", "it asks"] : ["shards", "they ask"];
    printError(`Missing: ${shards} ${missing.join(", ")}. What ${ask} has no verdict here.\n`);
  }
  await printReport(run, reporters, flags);
  return run.exitCode;
}
