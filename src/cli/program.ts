import { Command, CommanderError } from "commander";
import { UsageError, VERSION } from "../base/index.ts";
import { refuseRemovedFlag } from "../base/options/index.ts";
import { compareCommand } from "./afterwards/compare.ts";
import { gradeCommand } from "./afterwards/grade.ts";
import { mergeCommand } from "./afterwards/merge.ts";
import { noteCommand } from "./afterwards/note.ts";
import { promoteCommand } from "./afterwards/promote.ts";
import { reportCommand } from "./afterwards/report.ts";
import { runsCommand } from "./afterwards/runs.ts";
import { viewCommand } from "./afterwards/view.ts";
import { planCommand, runCommand } from "./asking/command.ts";
import { doctorCommand } from "./asking/doctor.ts";
import { workerCommand } from "./asking/worker.ts";
import { completionCommand } from "./completion/command.ts";
import { examples, nameReporters, withHelp } from "./flags/help.ts";
import { requireKnownCommand } from "./flags/known-command.ts";
import { checkCommand } from "./library/check.ts";
import { collisionsCommand } from "./library/collisions.ts";
import { explainCommand } from "./library/explain.ts";
import { importCommand } from "./library/import.ts";
import { initCommand } from "./library/init.ts";
import { routeCommand } from "./library/route.ts";
import { seeCommand } from "./library/see.ts";
import { hideLongWork, showLongWork } from "./printing/long-work.ts";
import { forgetPrinted, hasPrinted, print, printError, systemMessage } from "./printing/print.ts";

/** A command loads its modules inside its action, so that the others cost nothing. */
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

/** Runs one command line and returns its exit code. An action with another exit code than 0 sets `process.exitCode`. */
export async function main(given: string[]): Promise<number> {
  const argv = commandFirst(given);
  forgetPrinted();
  try {
    const whole = program();
    requireKnownCommand(argv, whole);
    if (argv.includes("--no-color")) process.env["NO_COLOR"] = "1";
    if (argv.some((word) => ["-h", "--help", "help"].includes(word))) await nameReporters(whole);
    showLongWork();
    await whole.parseAsync(argv).catch(refuseRemoved);
    return Number(process.exitCode ?? 0);
  } catch (error) {
    return explain(error, argv);
  } finally {
    hideLongWork();
  }
}

function refuseRemoved(error: unknown): never {
  if (error instanceof CommanderError && error.code === "commander.unknownOption")
    refuseRemovedFlag(/--[a-z-]+/.exec(error.message)?.[0] ?? "");
  throw error;
}

/** Lets options of every command stand before it: `proctor --no-color run` is `proctor run --no-color`. */
function commandFirst([node = "", script = "", ...words]: string[]): string[] {
  const at = words.findIndex((word) => !["--no-color", "--json"].includes(word));
  return at <= 0 || words[at]?.startsWith("-")
    ? [node, script, ...words]
    : [node, script, ...words.slice(at, at + 1), ...words.slice(0, at), ...words.slice(at + 1)];
}

export function program(): Command {
  const whole = new Command("proctor").description("Exams for agent skills.").version(VERSION).exitOverride();
  // `explain` reports all errors.
  const output = { writeOut: print, writeErr: printError, outputError: () => {} };
  whole.configureOutput(output);
  const alike = (command: Command): Command => {
    command.commands.forEach(alike);
    return withHelp(command.exitOverride().configureOutput(output));
  };
  for (const command of commands) whole.addCommand(alike(command()));
  return whole.addHelpText(
    "after",
    examples([
      ["proctor check", "check skills and suites, without asking any target"],
      ["proctor run", "every question, offline, in a second"],
      ["proctor doctor", "which agents and models this machine can ask"],
    ]),
  );
}

/** Prints to standard error for people; with JSON output, standard output gets exactly one document. */
function explain(error: unknown, argv: readonly string[]): number {
  const { exitCode, text, message, hint } = explained(error, argv);
  printError(text);
  if (wantsJson(argv) && exitCode !== 0 && !hasPrinted())
    print(`${JSON.stringify({ version: 1, exitCode, error: { message, hint } }, null, 2)}\n`);
  return exitCode;
}

interface Explained {
  exitCode: number;
  text: string;
  message: string;
  hint?: string | undefined;
}

function explained(error: unknown, argv: readonly string[]): Explained {
  if (error instanceof CommanderError) {
    // Help or the version has been printed; nothing is wrong.
    if (error.exitCode === 0 || /^commander\.help/.test(error.code))
      return { exitCode: error.exitCode === 0 ? 0 : 2, text: "", message: error.message };
    const [message = "", suggestion] = error.message
      .replace(/^error: (.)/, (_, first: string) => first.toUpperCase())
      .split("\n");
    return told(2, message, suggestion?.replace(/^\(|\)$/g, "") ?? usageHint(argv));
  }
  if (error instanceof UsageError) return told(error.exitCode, error.message, error.hint);
  const { code } = error as NodeJS.ErrnoException;
  if (code === "EMFILE" || code === "ENFILE")
    return told(2, systemMessage(error as NodeJS.ErrnoException), "Allow more of them: ulimit -n 1024.");
  const message = error instanceof Error ? error.message : String(error);
  const detail = error instanceof Error && process.env["PROCTOR_DEBUG"] ? error.stack : message;
  const hint = "This is a fault in Proctor. PROCTOR_DEBUG=1 shows where.";
  return { exitCode: 2, text: `proctor: ${detail}\n  ${hint}\n`, message, hint };
}

function told(exitCode: number, worded: string, hint: string | undefined): Explained {
  const message = sentence(worded);
  return { exitCode, text: `proctor: ${message}\n${hint === undefined ? "" : `  ${hint}\n`}`, message, hint };
}

function usageHint(argv: readonly string[]): string {
  const command = program().commands.find((one) => one.name() === argv[2]);
  return command === undefined
    ? "proctor --help lists the commands."
    : `proctor ${command.name()} --help shows its options, and examples.`;
}

/** Words to capitalise at the start of a message; names stay as written. */
const OPENERS = /^(?:for|no|nothing|the|there|two)(?= )/;

/** Gives a message a capital and a full stop, whoever worded it. */
function sentence(message: string): string {
  const begun = message.replace(OPENERS, (word) => word.charAt(0).toUpperCase() + word.slice(1));
  return /[.!?…:)\]]$/.test(begun) ? begun : `${begun}.`;
}

/** Whether standard output must be JSON. Decided before the command line is parsed, because it may be wrong. */
function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf("--");
  const words = end < 0 ? argv : argv.slice(0, end);
  return words.includes("--json") || words.some((word, index) => isJson(givenTo(word, words[index + 1])));
}

function givenTo(word: string, next: string | undefined): string {
  const [, flag, value] = /^--(reporter|format)(?:=(.*))?$/.exec(word) ?? [];
  return flag === undefined ? "" : (value ?? next ?? "");
}

function isJson(reporters: string): boolean {
  return reporters.split(",").some((one) => /^json(?:=-)?$/.test(one.trim()));
}
