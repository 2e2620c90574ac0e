import { Command, CommanderError } from "commander";
import { UsageError, VERSION } from "../base/index.ts";
import { checkCommand } from "./check.ts";
import { collisionsCommand } from "./collisions.ts";
import { compareCommand } from "./compare.ts";
import { completionCommand } from "./completion.ts";
import { doctorCommand } from "./doctor.ts";
import { explainCommand } from "./explain.ts";
import { examples, withHelp } from "./flags/help.ts";
import { requireKnownCommand } from "./flags/known-command.ts";
import { gradeCommand } from "./grade.ts";
import { importCommand } from "./import.ts";
import { initCommand } from "./init.ts";
import { mergeCommand } from "./merge.ts";
import { noteCommand } from "./note.ts";
import { hideLongWork, showLongWork } from "./printing/long-work.ts";
import { print, printError } from "./printing/print.ts";
import { promoteCommand } from "./promote.ts";
import { reportCommand } from "./report.ts";
import { routeCommand } from "./route.ts";
import { planCommand, runCommand } from "./run/command.ts";
import { runsCommand } from "./runs.ts";
import { seeCommand } from "./see.ts";
import { viewCommand } from "./view.ts";
import { workerCommand } from "./worker.ts";

/** One per file in this folder. A command loads the rooms it needs inside its action, so that the others cost nothing. */
const commands: (() => Command)[] = [
  checkCommand,
  explainCommand,
  runCommand,
  planCommand,
  reportCommand,
  viewCommand,
  runsCommand,
  compareCommand,
  noteCommand,
  mergeCommand,
  gradeCommand,
  importCommand,
  routeCommand,
  collisionsCommand,
  initCommand,
  doctorCommand,
  workerCommand,
  seeCommand,
  promoteCommand,
  () => completionCommand(program),
];

/** Runs one command line and returns its exit code; an action that ends with another code than 0 sets `process.exitCode`. */
export async function main(argv: string[]): Promise<number> {
  try {
    const whole = program();
    requireKnownCommand(argv, whole);
    if (argv.includes("--no-color")) process.env["NO_COLOR"] = "1";
    showLongWork();
    await whole.parseAsync(argv);
    return Number(process.exitCode ?? 0);
  } catch (error) {
    return explain(error);
  } finally {
    hideLongWork();
  }
}

export function program(): Command {
  const whole = new Command("proctor").description("Exams for agent skills.").version(VERSION).exitOverride();
  const output = { writeOut: print, writeErr: printError };
  whole.configureOutput(output);
  for (const command of commands) whole.addCommand(withHelp(command().exitOverride().configureOutput(output)));
  return whole.addHelpText(
    "after",
    examples([
      ["proctor check", "check skills and suites, without asking any target"],
      ["proctor run", "every question, offline, in a second"],
      ["proctor doctor", "which agents and models this machine can ask"],
    ]),
  );
}

function explain(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof UsageError) {
    printError(`proctor: ${error.message}\n${error.hint === undefined ? "" : `  ${error.hint}\n`}`);
    return error.exitCode;
  }
  const detail = error instanceof Error ? (process.env["PROCTOR_DEBUG"] ? error.stack : error.message) : String(error);
  printError(`proctor: ${detail}\n  This is a fault in Proctor. PROCTOR_DEBUG=1 shows where.\n`);
  return 2;
}
