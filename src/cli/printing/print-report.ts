import { appendFileSync, existsSync } from "node:fs";
import { extname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { namedPlace, printable, relativePosix, safeSegment, toPosix, UsageError } from "../../base/index.ts";
import { type ComparedRuns, readNotes, recordSource } from "../../history/index.ts";
import type { Scores } from "../../model/index.ts";
import {
  type ParsedReporter,
  parseReporters,
  pieces,
  type RenderOptions,
  type Reporter,
} from "../../reporters/index.ts";
import type { Report } from "../../verbs/index.ts";
import { betterTarget } from "./better-target.ts";
import { print, printError } from "./print.ts";
import { hasColor, terminalWidth } from "./terminal.ts";
import { deliver, deliverFiles, isAddress } from "./write-report-files.ts";

export interface ReportFlags {
  reporter: string[];
  /** Writes JSON to standard output; of the other reporters, only those with a file run. */
  json?: boolean;
  quiet?: boolean;
  verbose?: boolean;
  config?: string;
  workers?: string;
}

/**
 * The reporters asked for, else those of the configuration, else the terminal. Rejects unwritable files before anything
 * is asked.
 */
export async function readReporters(flags: ReportFlags): Promise<ParsedReporter[]> {
  const reporters = await chosenReporters(flags);
  for (const { file } of reporters) if (file !== undefined && !isAddress(file)) namedPlace(file);
  return reporters;
}

async function chosenReporters({ reporter, json, config: file }: ReportFlags): Promise<ParsedReporter[]> {
  const { loadConfig } = await import("../../base/options/index.ts");
  const { config } = await loadConfig({ cwd: process.cwd(), file });
  const configured = config.reporters ?? [];
  const own = configured.filter((one) => typeof one !== "string") as Reporter[];
  const named = reporter.flatMap((text) => parseReporters(text, own));
  if (json) return [...parseReporters("json"), ...named.filter((one) => one.file !== undefined)];
  if (named.length > 0) return named;
  const usual = configured.flatMap((one) => parseReporters(typeof one === "string" ? one : one.name, own));
  return usual.length > 0 ? usual : parseReporters("terminal");
}

export async function printReport(
  { record, scores, since }: Omit<Report, "exitCode">,
  given: readonly ParsedReporter[],
  flags: ReportFlags,
  { several = false } = {},
): Promise<void> {
  const reporters = several ? given.map((one) => ofLibrary(one, scores.run.library.name)) : given;
  const options: RenderOptions = {
    ...seenFrom(scores.run),
    width: terminalWidth(200),
    height: process.stdout.rows,
    quiet: flags.quiet,
    verbose: flags.verbose,
    record: relativePosix(process.cwd(), record.dir),
    config: flags.config,
    workers: flags.workers,
    since,
    better:
      !flags.quiet && reporters.some(({ name }) => name === "terminal")
        ? await betterTarget(scores, record)
        : undefined,
    source: recordSource(record),
    notes: readNotes(record),
    workspace: workspaceOf(scores.run.library.root),
    skills: reporters.some(({ name }) => name === "github")
      ? await descriptionPlaces(scores.run.library.root)
      : undefined,
  };
  for (const { name, file, reporter } of reporters) {
    if (reporter.files !== undefined && file !== undefined) {
      await deliverFiles(reporter.files(scores, options), { name, file });
      if (reporter.missing !== undefined) printError(`${name}: ${reporter.missing}\n`);
      continue;
    }
    const rendered = rendering(name, () =>
      reporter.render(scores, { ...options, color: file === undefined && hasColor(process.stdout) }),
    );
    await deliver(pieces(rendered), { reporter, file });
    if (reporter.summary !== undefined) addSummary(reporter.summary(scores, options));
  }
}

export async function printComparison(
  compared: ComparedRuns,
  given: readonly ParsedReporter[],
  flags: ReportFlags,
  { several = false } = {},
): Promise<void> {
  const reporters = several ? given.map((one) => ofLibrary(one, compared.now.scores.run.library.name)) : given;
  const options: RenderOptions = {
    ...seenFrom(compared.now.scores.run),
    width: terminalWidth(200),
    height: process.stdout.rows,
    quiet: flags.quiet,
    verbose: flags.verbose,
    config: flags.config,
    workspace: workspaceOf(compared.now.scores.run.library.root),
  };
  for (const { name, file, reporter } of reporters) {
    const { compare } = reporter;
    if (compare === undefined)
      throw new UsageError(
        `The reporter ${name} shows one run, not two.`,
        "proctor report RUN shows either of them with it.",
      );
    const color = file === undefined && hasColor(process.stdout);
    await deliver(pieces(rendering(name, () => compare.call(reporter, compared, { ...options, color }))), {
      reporter,
      file,
    });
    if (reporter.compareSummary !== undefined) addSummary(reporter.compareSummary(compared, options));
  }
}

function ofLibrary(one: ParsedReporter, library: string): ParsedReporter {
  const { name, file, reporter } = one;
  if (file === undefined || isAddress(file)) return one;
  const word = safeSegment(library);
  const extension = extname(file);
  const isFolder = reporter.files !== undefined && extension !== ".json";
  const own = isFolder ? join(file, word) : `${file.slice(0, file.length - extension.length)}.${word}${extension}`;
  printError(`${name}, library ${printable(library)}: ${own}\n`);
  return { ...one, file: own };
}

/** GitHub resolves files from the root of its checkout, wherever the command runs. */
function workspaceOf(root: string): string {
  const path = relativePosix(process.env["GITHUB_WORKSPACE"] || process.cwd(), root);
  return path.startsWith("..") || isAbsolute(path) ? "" : path;
}

async function descriptionPlaces(root: string): Promise<ReadonlyMap<string, { file: string; line?: number }>> {
  if (!existsSync(root)) return new Map();
  const { descriptionLines } = await import("../../exam/find/index.ts");
  return descriptionLines(root).catch(() => new Map());
}

/** GitHub accepts a job summary of at most one megabyte. */
function addSummary(text: string): void {
  const file = process.env["GITHUB_STEP_SUMMARY"];
  if (file === undefined || file === "") return;
  try {
    appendFileSync(file, `${text}\n`);
  } catch {
    printError(`The summary of the job could not be written to ${file}.\n`);
  }
}

/** A custom reporter may throw. */
function rendering<T>(name: string, render: () => T): T {
  try {
    return render();
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`The reporter ${name} failed: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** A library below the working directory is shown relative to it; any other, relative to its own root. */
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

/** Joins the JSON of several libraries on standard output into one document: `{ "version": 1, "libraries": [ … ] }`. */
export interface JsonOfLibraries {
  /** Call before each library's document. */
  next(): void;
  /** Call after the last document. */
  end(): void;
}

export function jsonOfLibraries(reporters: readonly Pick<ParsedReporter, "name" | "file">[]): JsonOfLibraries {
  const isPrinted = reporters.some(({ name, file }) => name === "json" && file === undefined);
  let begun = false;
  return {
    next() {
      if (isPrinted) print(begun ? "," : '{ "version": 1, "libraries": [\n');
      begun = true;
    },
    end() {
      if (isPrinted && begun) print("]}\n");
    },
  };
}
