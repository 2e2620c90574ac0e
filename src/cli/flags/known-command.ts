import type { Command } from "commander";
import { didYouMean, UsageError } from "../../base/index.ts";

/** What people type who come from other tools. */
const ELSEWHERE: Record<string, string> = {
  lint: "check",
  validate: "check",
  test: "run",
  eval: "run",
  evaluate: "run",
  ls: "runs",
  list: "runs",
  show: "report",
  regrade: "grade",
  new: "init",
};

/** Refuses a command that does not exist, also after `help`, with the one that is meant. */
export function requireKnownCommand(argv: readonly string[], whole: Command): void {
  const [first, second] = argv.slice(2);
  const asked = first === "help" ? second : first;
  if (asked === undefined || asked.startsWith("-")) return;
  const names = [...whole.commands.map((command) => command.name()), "help"];
  if (names.includes(asked)) return;
  const meant = ELSEWHERE[asked.toLowerCase()];
  const otherwise = `Commands: ${names.join(", ")}.`;
  throw new UsageError(
    `there is no command ${asked}`,
    meant === undefined ? didYouMean(asked, names, otherwise) : `Did you mean ${meant}?`,
  );
}
