import { Command } from "commander";
import { count, readText, UsageError } from "../../base/index.ts";
import { listed } from "../../hosts/index.ts";
import type { Checked } from "../../reporters/index.ts";
import { examples } from "../flags/help.ts";
import { addOptions } from "../flags/options.ts";
import { printError } from "../printing/print.ts";
import { pageText } from "../printing/rule-page.ts";
import { hasColor, terminalWidth } from "../printing/terminal.ts";

interface CheckFlags {
  format: "text" | "json" | "github" | "sarif";
  fix?: boolean;
  maxWarnings?: number;
  host: string[];
  quiet?: boolean;
  verbose?: boolean;
  config?: string;
  json?: boolean;
  reporter: string[];
}

export function checkCommand(): Command {
  const command = new Command("check")
    .description("Check skills and suites without asking any target: every problem with its place, a code and a fix.")
    .argument("[paths...]", "files and folders to report on (default: everything from the root)");
  return addOptions(command, "check")
    .addHelpText(
      "after",
      examples(
        [
          ["proctor check", "everything from the root"],
          ["proctor check skills/refund --fix", "one skill, and fix what is safe to fix"],
          ["proctor check --format github", "annotations in a pull request"],
        ],
        "check.md",
      ),
    )
    .action(async (paths: string[], options: CheckFlags) => {
      process.exitCode = await check(paths, options);
    });
}

async function check(paths: string[], options: CheckFlags): Promise<number> {
  const [api, { counts }] = await Promise.all([import("../../verbs/index.ts"), import("../../reporters/index.ts")]);
  const { config, fix, maxWarnings } = options;
  const checked = await api.check({
    paths,
    config,
    fix,
    maxWarnings,
    hosts: options.host.length > 0 ? options.host : undefined,
  });
  await report(checked, paths, options);
  const { warnings } = counts(checked.problems);
  if (checked.maxWarnings !== null && warnings > checked.maxWarnings)
    printError(
      `proctor: ${count(warnings, "warning")}, and at most ${checked.maxWarnings} are allowed (--max-warnings)\n`,
    );
  return checked.exitCode;
}

async function report(checked: Checked, paths: string[], options: CheckFlags): Promise<void> {
  const [{ parseReporters, pieces, reporterNames, scopeWords }, { deliver }, { readReporters }] = await Promise.all([
    import("../../reporters/index.ts"),
    import("../printing/write-report-files.ts"),
    import("../printing/print-report.ts"),
  ]);
  const { reporter: named, format, json, config, quiet, verbose } = options;
  const reporters =
    named.length > 0
      ? await readReporters({ reporter: named, config })
      : parseReporters(json ? "json" : format === "text" ? "terminal" : format);
  const other = reporters.find(({ reporter }) => reporter.check === undefined);
  if (other !== undefined)
    throw new UsageError(
      `The reporter ${other.name} shows a run, not problems.`,
      `proctor check has ${listed(reporterNames("check"))}.`,
    );
  for (const { file, reporter } of reporters) {
    const text = reporter.check?.(checked, {
      color: file === undefined && hasColor(process.stdout),
      width: terminalWidth(120),
      quiet,
      verbose,
      again: scopeWords(paths, config),
      workspace: process.env["GITHUB_WORKSPACE"] || undefined,
      read: fileReader(),
      page: pageText,
    });
    await deliver(pieces(text ?? ""), { reporter, file });
  }
}

/** Problems come file by file, so caching the last file is enough. */
function fileReader(): (file: string) => string | undefined {
  let last: { file: string; text: string | undefined } | undefined;
  return (file) => {
    if (last?.file !== file) last = { file, text: textOf(file) };
    return last.text;
  };
}

function textOf(file: string): string | undefined {
  const read = readText(file);
  return read.status === "text" ? read.text : undefined;
}
