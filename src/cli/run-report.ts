import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, isAbsolute, relative, resolve, sep } from "node:path";
import { toPosix, UsageError } from "../base/index.ts";
import { checkGates } from "../plan/index.ts";
import { type RecordPlace, readRecord } from "../records/index.ts";
import { type ParsedReporter, parseReporters, type RenderOptions, renderReport } from "../reports/index.ts";
import { sinceEarlierRuns } from "../runs/index.ts";
import { exitCode, type ScoreOptions, type Scores, scoreRecord } from "../scores/index.ts";
import { hasColor } from "./has-color.ts";
import { terminalWidth } from "./terminal-width.ts";

export interface ReportRequest {
  place: RecordPlace;
  reporters: ParsedReporter[];
  quiet: boolean;
  verbose: boolean;
  scoring?: ScoreOptions;
  /** As it was named on the command line, for the commands that the report offers. */
  config?: string | undefined;
}

/** The reporters asked for, else those of the configuration, else the terminal. */
export function readReporters(given: readonly string[], configured: readonly string[] = []): ParsedReporter[] {
  const parsed = (given.length > 0 ? given : configured).flatMap(parseReporters);
  return parsed.length > 0 ? parsed : [{ name: "terminal" }];
}

/** Renders a record with every reporter, and returns the exit code its scores mean. */
export async function reportRun({ place, reporters, quiet, verbose, scoring = {}, config }: ReportRequest): Promise<number> {
  const scores = await scoreRecord(readRecord(place.file), scoring);
  if (scoring.gates !== undefined)
    checkGates(
      scoring.gates,
      scores.targets.map(({ id }) => id),
      skillsOf(scores),
    );
  const record = shown(relative(process.cwd(), place.dir));
  const since = await sinceEarlierRuns(place, scores);
  const seen = { ...seenFrom(scores.run), ...(config !== undefined && { config }), since };
  for (const { name, file } of reporters) {
    const toScreen = file === undefined;
    const width = terminalWidth(200);
    const text = renderReport(name, scores, { color: toScreen && hasColor(process.stdout), width, quiet, verbose, record, ...seen });
    if (toScreen) process.stdout.write(text.endsWith("\n") ? text : `${text}\n`);
    else writeReport(file, text);
  }
  return exitCode(scores);
}

/** All of the library: those with questions and those without. */
function skillsOf({ plan, targets }: Scores): string[] {
  return [...plan.skillsWithoutQuestions, ...targets.flatMap(({ skills }) => skills.map(({ skill }) => skill))];
}

/** A library below the working directory is shown from here; one of another machine, or of elsewhere, from its own root. */
function seenFrom({ library: { root }, paths }: Scores["run"]): Pick<RenderOptions, "base" | "paths"> {
  if (!existsSync(root)) return {};
  const path = relative(process.cwd(), root);
  const isBelow = path !== "" && !isAbsolute(path) && path.split(sep)[0] !== "..";
  const isPart = paths?.every((one) => one !== "" && one.split("/")[0] !== "..");
  return {
    ...(isBelow && { base: shown(path) }),
    ...(isPart && { paths: paths!.map((one) => shown(relative(process.cwd(), resolve(root, one)) || ".")) }),
  };
}

function shown(path: string): string {
  return toPosix(path);
}

function writeReport(file: string, text: string): void {
  try {
    mkdirSync(dirname(resolve(file)), { recursive: true });
    writeFileSync(file, text);
  } catch (error) {
    throw new UsageError(`The report cannot be written to ${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
