import { Command } from "commander";
import { examples } from "./help.ts";

interface ReportFlags {
  reporter: string[];
  gate: string[];
  minCoverage?: string;
  allowPredicted?: boolean;
  quiet?: boolean;
  verbose?: boolean;
  config?: string;
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
      process.exitCode = await report(run, flags);
    });
}

async function report(run: string | undefined, flags: ReportFlags): Promise<number> {
  const [{ loadConfig }, { homeOf }, { openRecord }, { readReporters, reportRun }] = await Promise.all([
    import("../options/index.ts"),
    import("../plan/index.ts"),
    import("../records/index.ts"),
    import("./run-report.ts"),
  ]);
  const cwd = process.cwd();
  const config = await loadConfig({ cwd, ...(flags.config !== undefined && { file: flags.config }) });
  const place = await openRecord(homeOf(cwd, config), run);
  if (flags.trials !== undefined) {
    const { reportTrials } = await import("./report-trials.ts");
    await reportTrials(place, flags.trials, flags.verbose === true);
    return 0;
  }
  return reportRun({
    place,
    reporters: readReporters(flags.reporter, config.config.reporters),
    quiet: flags.quiet === true,
    verbose: flags.verbose === true,
    config: flags.config,
    scoring: {
      ...(flags.gate.length > 0 && { gates: flags.gate }),
      ...(flags.minCoverage !== undefined && { minCoverage: Number(flags.minCoverage) }),
      ...(flags.allowPredicted && { allowPredicted: true }),
    },
  });
}

function collect(value: string, before: string[]): string[] {
  return [...before, value];
}
