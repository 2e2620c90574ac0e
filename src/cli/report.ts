import { Command } from "commander";
import { collect } from "./arguments.ts";
import { examples } from "./help.ts";
import type { ReportFlags as SharedFlags } from "./print-report.ts";

interface ReportFlags extends SharedFlags {
  gate: string[];
  minCoverage?: string;
  allowPredicted?: boolean;
  trials?: string | true;
}

export function reportCommand(): Command {
  return new Command("report")
    .description("Show a stored run again, in any format, without asking anybody.")
    .argument("[run]", "a run's id, its folder or its record.jsonl (default: the newest)")
    .option("--reporter <list>", "terminal, json=FILE (repeat, or separate with commas)", collect, [])
    .option("--gate <gate>", "hold these scores against another gate (repeat)", collect, [])
    .option("--min-coverage <share>", "share of the questions that must have a verdict")
    .option("--allow-predicted", "let targets that only predict decide the exit code")
    .option(
      "--trials [text]",
      "instead: what was said and done in the trials of the questions with this text, or of those that did not pass",
    )
    .option("--quiet", "only what must be acted on")
    .option("--verbose", "every failure and every row")
    .option("--config <file>", "configuration to use instead of the nearest proctor.config.*")
    .addHelpText(
      "after",
      examples(
        [
          ["proctor report", "the newest run"],
          ["proctor report 2026-11-15-a --verbose", "every failure and every row of another"],
          ["proctor report --gate 'recall>=0.8'", "whether a gate would have held"],
        ],
        "run.md",
      ),
    )
    .action(async (run: string | undefined, flags: ReportFlags) => {
      process.exitCode = flags.trials === undefined ? await showRun(run, flags) : await showTrials(run, flags.trials, flags);
    });
}

async function showRun(run: string | undefined, flags: ReportFlags): Promise<number> {
  const [api, { printReport, readReporters }] = await Promise.all([import("../api/index.ts"), import("./print-report.ts")]);
  const reporters = await readReporters(flags);
  const report = await api.report({
    run,
    config: flags.config,
    gates: flags.gate.length > 0 ? flags.gate : undefined,
    minCoverage: flags.minCoverage === undefined ? undefined : Number(flags.minCoverage),
    allowPredicted: flags.allowPredicted,
  });
  printReport(report, reporters, flags);
  return report.exitCode;
}

async function showTrials(run: string | undefined, text: string | true, { config, verbose = false }: ReportFlags): Promise<number> {
  const [api, { MOST_TRIALS, printTrials }] = await Promise.all([import("../api/index.ts"), import("./print-trials.ts")]);
  const most = verbose ? undefined : MOST_TRIALS;
  await printTrials(await api.trials({ run, config, text: text === true ? undefined : text, most }), verbose);
  return 0;
}
