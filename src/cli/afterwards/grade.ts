import { Command } from "commander";
import { count } from "../../base/index.ts";
import type { GradedRun } from "../../verbs/index.ts";
import { examples } from "../flags/help.ts";
import { addOptions } from "../flags/options.ts";
import { printError } from "../printing/print.ts";
import type { ReportFlags } from "../printing/print-report.ts";

interface GradeFlags extends ReportFlags {
  reparse?: boolean;
  judge?: string;
  updateSnapshots?: boolean;
}

const NAMED = 20;

export function gradeCommand(): Command {
  const command = new Command("grade")
    .description(
      "Grade a stored run again with its suites as they are now, save the result as a new run, and show it. No target is asked.",
    )
    .argument("[run]", "a run's id, its folder or its record.jsonl (default: the newest)")
    .option("--reparse", "first read the agents' raw output again, to pick up what a fixed adapter now sees in it")
    .option("--judge <model>", "have this model judge free text; without it, judged checks stay as they were")
    .option("--update-snapshots", "write the snapshots that diff graders compare with, instead of comparing");
  return addOptions(command, "grade")
    .addHelpText(
      "after",
      examples(
        [
          ["proctor grade", "the newest run, with its suites as they are now"],
          ["proctor grade 2026-11-15-a --judge claude-haiku-4-5", "let a model judge free text again"],
        ],
        "cases.md",
      ),
    )
    .action(async (run: string | undefined, flags: GradeFlags) => {
      process.exitCode = await grade(run, flags);
    });
}

async function grade(run: string | undefined, flags: GradeFlags): Promise<number> {
  const [api, { printReport, readReporters }] = await Promise.all([
    import("../../verbs/index.ts"),
    import("../printing/print-report.ts"),
  ]);
  const reporters = await readReporters(flags);
  const { config, reparse, judge, updateSnapshots } = flags;
  const graded = await api.grade({ run, config, reparse, judge, updateSnapshots });
  printError(summary(graded));
  await printReport(graded, reporters, flags);
  return graded.exitCode;
}

function summary({ source, regraded: { trials, changed, kept, notes } }: GradedRun): string {
  const more = notes.length - NAMED;
  return [
    `${source} graded again: ${changed} of ${count(trials, "trial")} came out differently.`,
    ...Object.entries(kept).map(
      ([why, n]) => `${count(n, "check")} ${n === 1 ? "was left as it was" : "were left as they were"}: ${why}.`,
    ),
    ...notes.slice(0, NAMED).map((note) => `not read again: ${note}.`),
    ...(more > 0 ? [`not read again: ${more} more.`] : []),
    "",
  ].join("\n");
}
