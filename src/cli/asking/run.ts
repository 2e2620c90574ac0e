import { printable, relativePosix } from "../../base/index.ts";
import { loadConfig } from "../../base/options/index.ts";
import { checkSkills } from "../../check/index.ts";
import { BrokenFiles } from "../../exam/plan/index.ts";
import { firstExitCode } from "../../exam/score/index.ts";
import type { Library } from "../../model/index.ts";
import { type ParsedReporter, shellWord, workersWord } from "../../reporters/index.ts";
import { keptWorkspaces } from "../../targets/index.ts";
import * as api from "../../verbs/index.ts";
import { printBroken, sayBroken } from "../printing/broken-files.ts";
import { print, printError } from "../printing/print.ts";
import { jsonOfLibraries, printReport, readReporters } from "../printing/print-report.ts";
import { terminalWidth } from "../printing/terminal.ts";
import type { RunFlags } from "./command.ts";
import { sayLock } from "./lock-text.ts";
import { dropText, planJson, planText } from "./plan-text.ts";
import { startScreen } from "./screen.ts";
import { interruptsOfRun } from "./signals.ts";

export async function run(paths: string[], flags: RunFlags): Promise<number> {
  const reporters = await readReporters(flags);
  const options: api.RunOptions = {
    ...flags.settings,
    paths,
    config: flags.config,
  };
  if (flags.updateLock) options.lock = "update";
  const once = () =>
    explainBroken(() => (flags.dryRun ? showPlan(options, flags) : runOnce(options, flags, reporters)));
  const isText = flags.dryRun
    ? !flags.json
    : reporters.some(({ name, file }) => name === "terminal" && file === undefined);
  const work = async () => (flags.watch ? (await import("./watch.ts")).watchAndRun(options, once, { isText }) : once());
  if (!flags.view || flags.dryRun) return work();
  const { runAndView } = await import("./run-and-view.ts");
  return runAndView(flags, work);
}

async function explainBroken<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof BrokenFiles) printBroken(error.problems);
    throw error;
  }
}

async function showPlan(options: api.RunOptions, { json }: RunFlags): Promise<number> {
  const plans = await api.plan(options);
  print(
    json
      ? planJson(plans)
      : plans.map((plan) => `${planText(plan, terminalWidth(160))}${dropText(plan, terminalWidth(160))}`).join(""),
  );
  return 0;
}

async function runOnce(options: api.RunOptions, flags: RunFlags, reporters: ParsedReporter[]): Promise<number> {
  const levels = (await loadConfig({ cwd: process.cwd(), file: flags.config })).config.rules;
  const signals = interruptsOfRun();
  // Forgets what an earlier run of this process kept.
  keptWorkspaces();
  const screen = startScreen({ quiet: flags.quiet === true, verbose: flags.verbose === true });
  signals.onFirst = () =>
    screen.say("Finishing the trials in progress. Press Ctrl-C again to stop now; either way nothing is lost.");
  let shown = Promise.resolve();
  let libraries = 0;
  const together = jsonOfLibraries(reporters);
  const on = (event: api.RunEvent) => {
    if (event.type === "prepared") {
      libraries++;
      signals.listen();
      if (!flags.quiet) for (const line of brokenSkills(event.library, levels)) screen.say(line);
    } else if (event.type === "result") {
      screen.stop();
      shown = shown.then(async () => {
        if (libraries > 1) together.next();
        await printReport(event.result, reporters, flags, { several: libraries > 1 });
        sayInterrupted(event.result, flags);
        sayLock(event.result);
        sayChanged(event.result);
        sayBroken(event.result.broken);
      });
    } else if (event.type === "changed") sayTouched(event.changed, flags);
    else screen.show(event);
  };
  try {
    const results = await api.run({ ...options, signal: signals.finish, stop: signals.stop, on });
    await shown;
    // With --watch, Ctrl-C also ends the watching, even if the run completed.
    if (flags.watch && signals.finish.aborted) return 130;
    return firstExitCode(
      results.map((result) => result.exitCode),
      130,
    );
  } finally {
    screen.stop();
    signals.forget();
    together.end();
    sayKept();
  }
}

/**
 * Hosts drop or hide a skill with errors, so the run may not measure what the author thinks. The errors name the hosts.
 */
function brokenSkills(library: Library, levels: Record<string, string> = {}): string[] {
  const errors = checkSkills(library).filter(({ code, severity }) => (levels[code] ?? severity) === "error");
  const [only, ...others] = errors.map(({ location, message }) => ({
    place: printable(relativePosix(process.cwd(), location.file)),
    message: printable(message),
  }));
  if (only === undefined) return [];
  if (others.length === 0) return [`proctor check finds 1 error in the skills (${only.place}): ${only.message}`];
  const shown = [only, ...others].slice(0, MOST_ERRORS).map(({ place, message }) => `${place}: ${message}`);
  const more = errors.length - shown.length;
  return [
    `proctor check finds ${errors.length} errors in the skills:`,
    ...shown,
    ...(more > 0 ? [`… and ${more} more`] : []),
  ];
}

const MOST_ERRORS = 3;

function sayTouched(
  { base, commit, touched, siblings }: Extract<api.RunEvent, { type: "changed" }>["changed"],
  { quiet }: RunFlags,
): void {
  if (quiet || touched.length === 0) return;
  const beside = siblings.length === 0 ? "" : `; their competitors: ${siblings.map(printable).join(", ")}`;
  printError(
    `Touched since ${printable(base)} (${commit.slice(0, 7)}): ${touched.map(printable).join(", ")}${beside}.\n`,
  );
}

function sayInterrupted({ footer, record }: api.RunResult, flags: RunFlags): void {
  if (footer.how !== "interrupted") return;
  const left = Object.values(footer.notAsked).reduce((sum, trials) => sum + trials, 0);
  const trials = left === 1 ? "trial is" : "trials are";
  const config = flags.config === undefined ? "" : ` --config ${shellWord(flags.config)}`;
  const workers = flags.workers === undefined ? "" : ` --workers ${workersWord(flags.workers)}`;
  printError(
    `Interrupted; ${left} ${trials} left. To continue: proctor run --resume ${record.run}${config}${workers}\n`,
  );
}

/** On stderr, so that people see it even if stdout is for machines. */
function sayChanged({ footer: { changed = [] } }: api.RunResult): void {
  const [first] = changed;
  if (first === undefined) return;
  const what = changed.length === 1 ? printable(first) : `${printable(first)} and ${changed.length - 1} more`;
  printError(
    `${what} changed during the run, which examined it as it was at the start. Run again to examine it as it is now.\n`,
  );
}

function sayKept(): void {
  const workspaces = keptWorkspaces();
  if (workspaces === undefined) return;
  const { count, path } = workspaces;
  printError(`${count === 1 ? "One workspace is" : `${count} workspaces are`} kept: ${path}\n`);
}
