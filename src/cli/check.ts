import { readFileSync } from "node:fs";
import { Command, InvalidArgumentError, Option } from "commander";
import { UsageError } from "../base/index.ts";
import type { HostId } from "../hosts/index.ts";
import type { Checked } from "../reports/index.ts";
import { hasColor } from "./has-color.ts";
import { examples } from "./help.ts";
import { pageText } from "./rule-page.ts";
import { terminalWidth } from "./terminal-width.ts";

const FORMATS = ["text", "json", "github", "sarif"] as const;

interface CheckOptions {
  format: (typeof FORMATS)[number];
  fix: boolean;
  maxWarnings?: number;
  host: string[];
  quiet: boolean;
  verbose: boolean;
  config?: string;
}

export function checkCommand(): Command {
  return new Command("check")
    .description("Check skills and suites without asking anybody: every problem with its place, a code and what to do.")
    .argument("[paths...]", "files and folders to report on (default: everything from the root)")
    .addOption(new Option("--format <format>", "how to show problems").choices(FORMATS).default("text"))
    .option("--fix", "mend what is safe to mend, changing only those bytes", false)
    .option("--max-warnings <n>", "fail when there are more warnings than this", wholeNumber)
    .option("--host <host>", "only the rules of these hosts (repeat, or separate with commas)", collect, [])
    .option("--quiet", "show errors only", false)
    .option("--verbose", "show notes too, and every problem of a kind", false)
    .option("--config <file>", "configuration to use instead of the nearest proctor.config.*")
    .addHelpText(
      "after",
      examples(
        [
          ["proctor check", "everything from the root"],
          ["proctor check skills/refund --fix", "one skill, and mend what is safe to mend"],
          ["proctor check --format github", "annotations in a pull request"],
        ],
        "check.md",
      ),
    )
    .action(async (paths: string[], options: CheckOptions) => {
      process.exitCode = await check(paths, options);
    });
}

async function check(paths: string[], options: CheckOptions): Promise<number> {
  const cwd = process.cwd();
  const [{ loadConfig }, { checkLibraries }, { counts }] = await Promise.all([
    import("../options/index.ts"),
    import("../api/check.ts"),
    import("../reports/index.ts"),
  ]);
  const { config } = await loadConfig({ cwd, ...(options.config === undefined ? {} : { file: options.config }) });
  const hosts = await knownHosts(options.host.length > 0 ? options.host : (config.hosts ?? []));
  const checked = await checkLibraries({ cwd, paths, config, fix: options.fix, ...(hosts.length > 0 ? { hosts } : {}) });
  process.stdout.write(await render(checked, paths, options));
  const { errors, warnings } = counts(checked.problems);
  const most = options.maxWarnings ?? config.max_warnings ?? Number.POSITIVE_INFINITY;
  if (warnings > most)
    process.stderr.write(`proctor: ${warnings} warning${warnings === 1 ? "" : "s"}, and at most ${most} are allowed (--max-warnings)\n`);
  return errors > 0 || warnings > most ? 1 : 0;
}

async function knownHosts(names: readonly string[]): Promise<HostId[]> {
  const { hosts } = await import("../hosts/index.ts");
  const ids = hosts.map(({ id }) => id);
  return names.map((name) => {
    const host = ids.find((id) => id === name);
    if (host !== undefined) return host;
    throw new UsageError(`there is no host ${name}`, `Hosts: ${ids.join(", ")}.`);
  });
}

async function render(checked: Checked, paths: string[], options: CheckOptions): Promise<string> {
  const { checkGithub, checkJson, checkSarif, checkText } = await import("../reports/index.ts");
  switch (options.format) {
    case "json":
      return checkJson(checked);
    case "github":
      // GitHub looks files up from the root of its checkout, wherever the command runs.
      return checkGithub({ ...checked, cwd: process.env["GITHUB_WORKSPACE"] || checked.cwd });
    case "sarif":
      return checkSarif(checked, pageText);
    case "text": {
      const [{ createColors }, { where }] = await Promise.all([import("picocolors"), import("./where.ts")]);
      const screen = { colors: createColors(hasColor(process.stdout)), width: terminalWidth(120), again: where(paths, options.config) };
      return checkText(checked, { ...options, ...screen, read: fileReader() });
    }
  }
}

/** Problems come file by file, so the last one read is the one that is needed again. */
function fileReader(): (file: string) => string | undefined {
  let last: { file: string; text: string | undefined } | undefined;
  return (file) => {
    if (last?.file !== file) last = { file, text: textOf(file) };
    return last.text;
  };
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError("It is a whole number.");
  return Number(text);
}

function collect(text: string, before: string[]): string[] {
  return [...before, ...text.split(",").map((part) => part.trim())];
}
