import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { printable, relativePosix } from "../base/index.ts";
import { checkSkills } from "../hosts/lint/index.ts";
import { type ExamFlags, type LoadedConfig, loadConfig } from "../options/index.ts";
import { BrokenFiles, type ExamRequest, homeOf, type PreparedExam, parseShard, prepareExams } from "../plan/index.ts";
import { openRecord, type RecordPlace } from "../records/index.ts";
import { shellWord } from "../reports/index.ts";
import { flagsOfRun, resumedFlags } from "../runs/index.ts";
import { sitExam } from "../sitting/index.ts";
import type { Library } from "../skills/index.ts";
import { keptWorkspaces } from "../targets/index.ts";
import { examFlags, type RunFlags } from "./run.ts";
import { showPlan } from "./run-plan.ts";
import { type ReportRequest, readReporters, reportRun } from "./run-report.ts";
import { type Screen, startScreen } from "./run-screen.ts";
import { listenForInterrupts } from "./run-signals.ts";

/** One `proctor run`; returns its exit code. */
export async function run(paths: string[], flags: RunFlags): Promise<number> {
  const cwd = process.cwd();
  const config = await loadConfig({ cwd, ...(flags.config !== undefined && { file: flags.config }) });
  const reporters = readReporters(flags.reporter, config.config.reporters);
  const resumed = await findResumed(homeOf(cwd, config), paths, flags);
  const request = { cwd, config, ...(await whatToAsk(paths, flags, resumed)) };
  const prepared = async () => {
    const exams = await prepareOrExplain(request);
    if (!flags.quiet) for (const { library } of exams) process.stderr.write(brokenSkills(library, cwd, config));
    return exams;
  };
  const once = async () => runOnce(await prepared(), { flags, reporters, config, ...(resumed && { resumed }) });
  if (!flags.watch) return once();
  const { watchAndRun } = await import("./run-watch.ts");
  return watchAndRun(request, once);
}

/** Shows where the broken files are broken before the message that nothing was asked. */
async function prepareOrExplain(request: ExamRequest): Promise<PreparedExam[]> {
  try {
    return await prepareExams(request);
  } catch (error) {
    if (error instanceof BrokenFiles) {
      for (const { location, message, fix } of error.problems) {
        const file = relativePosix(request.cwd, location.file);
        const place = [file, location.line, location.column].filter((part) => part !== undefined).join(":");
        process.stderr.write(`${place}  error  ${printable(message)}\n${fix === undefined ? "" : `  fix: ${printable(fix)}\n`}`);
      }
    }
    throw error;
  }
}

/** Hosts drop or hide a skill with errors, so that what is measured may not be what its author thinks. */
function brokenSkills(library: Library, cwd: string, { config: { rules = {} } }: LoadedConfig): string {
  const errors = checkSkills(library).filter(({ code, severity }) => (rules[code] ?? severity) === "error");
  const [first] = errors;
  if (first === undefined) return "";
  const place = relativePosix(cwd, first.location.file);
  const found = errors.length === 1 ? `1 error in the skills (${place})` : `${errors.length} errors in the skills (${place} …)`;
  return `proctor check finds ${found}: hosts may drop or hide such a skill.\n`;
}

/** Without a name, `--resume` swallows the path that follows it; a run is what has a record. */
async function findResumed(home: string, paths: string[], { resume }: RunFlags): Promise<RecordPlace | undefined> {
  if (resume === undefined) return undefined;
  if (resume === true) return openRecord(home);
  try {
    return await openRecord(home, resume);
  } catch (error) {
    if (!existsSync(resolve(resume))) throw error;
    paths.push(resume);
    return openRecord(home);
  }
}

/** A resumed run asks what it asked before, unless something else is said. */
async function whatToAsk(
  paths: string[],
  flags: RunFlags,
  resumed: RecordPlace | undefined,
): Promise<{ paths?: string[]; flags: ExamFlags }> {
  const given = examFlags(flags, flags.shard === undefined ? undefined : parseShard(flags.shard));
  const asked = paths.length > 0 || resumed === undefined ? paths : (await flagsOfRun(resumed)).paths;
  return {
    ...(asked !== undefined && asked.length > 0 && { paths: asked }),
    flags: resumed === undefined ? given : await resumedFlags(resumed, given),
  };
}

interface Once {
  flags: RunFlags;
  reporters: ReportRequest["reporters"];
  config: LoadedConfig;
  resumed?: RecordPlace;
}

async function runOnce(exams: PreparedExam[], { flags, reporters, resumed }: Once): Promise<number> {
  if (flags.dryRun) {
    for (const exam of exams) process.stdout.write(await showPlan(exam));
    return 0;
  }
  const signals = listenForInterrupts();
  const screen = startScreen({ quiet: flags.quiet === true, verbose: flags.verbose === true });
  signals.onFirst = () => screen.say("Finishing what runs. Ctrl-C again stops now; either way nothing is lost.");
  try {
    const codes: number[] = [];
    for (const exam of await chosen(exams, resumed)) {
      if (signals.finish.aborted) break;
      codes.push(await sitAndReport(exam, { flags, reporters, screen, signals, ...(resumed && { resumed }) }));
    }
    // Who watches has said Ctrl-C to the watching too, however whole the run became.
    return flags.watch && signals.finish.aborted ? 130 : firstThatApplies(codes);
  } finally {
    screen.stop();
    signals.forget();
    tellKept();
  }
}

function tellKept(): void {
  const kept = keptWorkspaces();
  if (kept === undefined) return;
  process.stderr.write(`${kept.count === 1 ? "One workspace is" : `${kept.count} workspaces are`} kept: ${kept.path}\n`);
}

async function chosen(exams: PreparedExam[], resumed: RecordPlace | undefined): Promise<PreparedExam[]> {
  if (resumed === undefined || exams.length === 1) return exams;
  const { library } = await flagsOfRun(resumed);
  return exams.filter((exam) => exam.library.name === library);
}

interface Seated {
  flags: RunFlags;
  reporters: ReportRequest["reporters"];
  screen: Screen;
  signals: { finish: AbortSignal; stop: AbortSignal };
  resumed?: RecordPlace;
}

async function sitAndReport(exam: PreparedExam, { flags, reporters, screen, signals, resumed }: Seated): Promise<number> {
  const { place, footer } = await sitExam(exam, {
    finish: signals.finish,
    stop: signals.stop,
    ...(resumed && { resume: resumed }),
    on: screen.show,
  });
  screen.stop();
  const code = await reportRun({ place, reporters, quiet: flags.quiet === true, verbose: flags.verbose === true, config: flags.config });
  if (footer.how === "interrupted") {
    const left = Object.values(footer.notAsked).reduce((sum, trials) => sum + trials, 0);
    const [trials, config] = [
      left === 1 ? "trial is" : "trials are",
      flags.config === undefined ? "" : ` --config ${shellWord(flags.config)}`,
    ];
    process.stderr.write(`Interrupted; ${left} ${trials} left. Go on with: proctor run --resume ${place.run}${config}\n`);
  }
  return code;
}

/** The order of DESIGN's exit codes: interrupted, unusable, failed, not measured, all well. */
function firstThatApplies(codes: readonly number[]): number {
  return [130, 2, 1, 3].find((code) => codes.includes(code)) ?? (codes.length === 0 ? 130 : 0);
}
