import { existsSync } from "node:fs";
import { isAbsolute, relative, resolve, sep } from "node:path";
import type { Report } from "../api/index.ts";
import { relativePosix, toPosix, UsageError } from "../base/index.ts";
import { type ParsedReporter, parseReporters, pieces, type RenderOptions, type Reporter } from "../reports/index.ts";
import { recordSource } from "../runs/index.ts";
import type { Scores } from "../scores/index.ts";
import { deliver } from "./deliver.ts";
import { hasColor } from "./has-color.ts";
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
  const { loadConfig } = await import("../options/index.ts");
  const { config } = await loadConfig({ cwd: process.cwd(), file });
  const configured = config.reporters ?? [];
  const own = configured.filter((one) => typeof one !== "string") as Reporter[];
  const named = reporter.flatMap((text) => parseReporters(text, own));
  if (json) return [...parseReporters("json"), ...named.filter((one) => one.file !== undefined)];
  if (named.length > 0) return named;
  const usual = configured.flatMap((one) => parseReporters(typeof one === "string" ? one : one.name, own));
  return usual.length > 0 ? usual : parseReporters("terminal");
}

/** Shows a run with every reporter. */
export async function printReport(
  { record, scores, since }: Omit<Report, "exitCode">,
  reporters: readonly ParsedReporter[],
  flags: ReportFlags,
): Promise<void> {
  const options: RenderOptions = {
    ...seenFrom(scores.run),
    width: terminalWidth(200),
    quiet: flags.quiet,
    verbose: flags.verbose,
    record: relativePosix(process.cwd(), record.dir),
    config: flags.config,
    since,
    source: recordSource(record),
  };
  for (const { name, file, reporter } of reporters) {
    const rendered = rendering(name, () => reporter.render(scores, { ...options, color: file === undefined && hasColor(process.stdout) }));
    await deliver(pieces(rendered), { reporter, file });
  }
}

/** A reporter of one's own may fail like any other code. */
function rendering<T>(name: string, render: () => T): T {
  try {
    return render();
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`The reporter ${name} failed: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** A library below the working directory is shown from here; one of another machine, or of elsewhere, from its own root. */
export function seenFrom({ library: { root }, paths }: Scores["run"]): Pick<RenderOptions, "base" | "paths"> {
  if (!existsSync(root)) return {};
  const path = relative(process.cwd(), root);
  const isBelow = path !== "" && !isAbsolute(path) && path.split(sep)[0] !== "..";
  const isPart = paths?.every((one) => one !== "" && one.split("/")[0] !== "..");
  return {
    base: isBelow ? toPosix(path) : undefined,
    paths: isPart ? paths?.map((one) => relativePosix(process.cwd(), resolve(root, one)) || ".") : undefined,
  };
}
