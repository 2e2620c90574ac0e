import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, isAbsolute, relative, resolve, sep } from "node:path";
import type { Report } from "../api/index.ts";
import { relativePosix, toPosix, UsageError } from "../base/index.ts";
import { type ParsedReporter, parseReporters, type RenderOptions, renderReport } from "../reports/index.ts";
import type { Scores } from "../scores/index.ts";
import { hasColor } from "./has-color.ts";
import { print } from "./print.ts";
import { terminalWidth } from "./terminal-width.ts";

/** The flags of every command that shows a run. */
export interface ReportFlags {
  reporter: string[];
  /** JSON on standard output, before what the reporters are asked for. */
  json?: boolean;
  quiet?: boolean;
  verbose?: boolean;
  config?: string;
}

/** The reporters asked for, else those of the configuration, else the terminal. */
export async function readReporters({ reporter, json, config: file }: ReportFlags): Promise<ParsedReporter[]> {
  const named = reporter.flatMap(parseReporters);
  if (json) return [{ name: "json" }, ...named.filter((one) => one.file !== undefined)];
  if (named.length > 0) return named;
  const { loadConfig } = await import("../options/index.ts");
  const { config } = await loadConfig({ cwd: process.cwd(), file });
  const configured = (config.reporters ?? []).flatMap(parseReporters);
  return configured.length > 0 ? configured : [{ name: "terminal" }];
}

/** Shows a run with every reporter. */
export function printReport(
  { record, scores, since }: Omit<Report, "exitCode">,
  reporters: readonly ParsedReporter[],
  flags: ReportFlags,
): void {
  const options: RenderOptions = {
    ...seenFrom(scores.run),
    width: terminalWidth(200),
    quiet: flags.quiet,
    verbose: flags.verbose,
    record: relativePosix(process.cwd(), record.dir),
    config: flags.config,
    since,
  };
  for (const { name, file } of reporters) {
    const text = renderReport(name, scores, { ...options, color: file === undefined && hasColor(process.stdout) });
    if (file === undefined) print(text.endsWith("\n") ? text : `${text}\n`);
    else writeReport(file, text);
  }
}

/** A library below the working directory is shown from here; one of another machine, or of elsewhere, from its own root. */
function seenFrom({ library: { root }, paths }: Scores["run"]): Pick<RenderOptions, "base" | "paths"> {
  if (!existsSync(root)) return {};
  const path = relative(process.cwd(), root);
  const isBelow = path !== "" && !isAbsolute(path) && path.split(sep)[0] !== "..";
  const isPart = paths?.every((one) => one !== "" && one.split("/")[0] !== "..");
  return {
    base: isBelow ? toPosix(path) : undefined,
    paths: isPart ? paths?.map((one) => relativePosix(process.cwd(), resolve(root, one)) || ".") : undefined,
  };
}

function writeReport(file: string, text: string): void {
  try {
    mkdirSync(dirname(resolve(file)), { recursive: true });
    writeFileSync(file, text);
  } catch (error) {
    throw new UsageError(`The report cannot be written to ${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
