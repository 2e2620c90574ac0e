import { Command } from "commander";
import type { CommandSettings, RunSettings, StartSettings } from "../../base/options/index.ts";
import { addOptions, settingsFrom } from "../flags/options.ts";
import type { ReportFlags } from "../printing/print-report.ts";
import { RUN_HELP } from "./help.ts";

/** `settings` are the options of the `run` verb. */
export type RunFlags = ReportFlags & CommandSettings<"run"> & { settings: RunSettings & StartSettings };

export function runCommand(): Command {
  const command = new Command("run")
    .description("Put the triggers and cases of your suites to one or more targets, and say what failed and why.")
    .argument("[paths...]", "skills or suites to ask about (default: everything from the root)");
  return addOptions(command, "run", { headings: true })
    .addHelpText("after", RUN_HELP)
    .action(async (paths: string[], flags: Omit<RunFlags, "settings">) => {
      const { run } = await import("./run.ts");
      process.exitCode = await run(paths, { ...flags, settings: settingsFrom(flags) });
    });
}

/** `proctor plan` is `proctor run --dry-run`. */
export function planCommand(): Command {
  const command = new Command("plan")
    .description(
      "Show what a run would ask, how long it would take, what it would cost, and how many runs it needs to see a drop of 10 points. Nothing is asked or spent.",
    )
    .argument("[paths...]", "skills or suites to ask about (default: everything from the root)");
  return addOptions(command, "plan", { headings: true }).action(
    async (paths: string[], flags: Omit<RunFlags, "settings">) => {
      const { run } = await import("./run.ts");
      process.exitCode = await run(paths, { ...flags, reporter: [], dryRun: true, settings: settingsFrom(flags) });
    },
  );
}
