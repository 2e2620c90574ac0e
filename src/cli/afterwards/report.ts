import { Command } from "commander";
import { examples } from "../flags/help.ts";
import { addOptions, settingsFrom } from "../flags/options.ts";
import { print } from "../printing/print.ts";
import type { ReportFlags } from "../printing/print-report.ts";

interface OwnFlags extends ReportFlags {
  trials?: string | true;
}

export function reportCommand(): Command {
  const command = new Command("report")
    .description("Show a stored run again, in any format, without asking any target.")
    .argument("[run]", "a run's id, its folder or its record.jsonl (default: the newest)");
  return addOptions(command, "report")
    .addHelpText(
      "after",
      examples(
        [
          ["proctor report", "the newest run"],
          ["proctor report 2026-11-15-a --verbose", "another run, with every failure and every row"],
          ["proctor report --gate 'recall>=0.8'", "whether a gate would have held"],
        ],
        "run.md",
      ),
    )
    .action(async (run: string | undefined, flags: OwnFlags) => {
      process.exitCode =
        flags.trials === undefined ? await showRun(run, flags) : await showTrials(run, flags.trials, flags);
    });
}

async function showRun(run: string | undefined, flags: OwnFlags): Promise<number> {
  const [api, { printReport, readReporters }] = await Promise.all([
    import("../../verbs/index.ts"),
    import("../printing/print-report.ts"),
  ]);
  const reporters = await readReporters(flags);
  const report = await api.report({ ...settingsFrom(flags), run, config: flags.config });
  await printReport(report, reporters, flags);
  return report.exitCode;
}

async function showTrials(
  run: string | undefined,
  text: string | true,
  { config, json, verbose = false }: OwnFlags,
): Promise<number> {
  const [api, { MOST_TRIALS, printTrials, printTrialsJson }] = await Promise.all([
    import("../../verbs/index.ts"),
    import("../printing/print-trials.ts"),
  ]);
  const most = verbose || json ? undefined : MOST_TRIALS;
  const found = await api.trials({ run, config, text: text === true ? undefined : text, most });
  if (json) await printTrialsJson(found);
  else if (found.total > 0) await printTrials(found, verbose);
  if (found.total > 0) return 0;
  const { scores, exitCode } = await api.report({ run, config });
  if (!json)
    print(
      noTrialText(
        found.record.run,
        scores.targets.some(({ trials }) => trials.total > 0),
      ),
    );
  return exitCode;
}

function noTrialText(run: string, wasAsked: boolean): string {
  return wasAsked
    ? `Every question of run ${run} that was asked passed: --trials "" shows all trials, --trials TEXT those of some questions.\n`
    : `Run ${run} has no trials.\n`;
}
