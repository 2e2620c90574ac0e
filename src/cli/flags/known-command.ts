import type { Command } from "commander";
import { didYouMean, UsageError } from "../../base/index.ts";

// biome-ignore format: a table
const ELSEWHERE: Record<string, readonly string[]> = {
  check: ["lint", "validate", "verify", "scan", "audit"],
  "check --fix": ["fix", "format", "fmt"],
  run: ["test", "tests", "eval", "evals", "evaluate", "exam", "bench", "benchmark", "start"],
  "run --watch": ["watch", "dev"],
  "run --resume": ["resume", "continue", "retry"],
  plan: ["estimate", "cost", "price", "dry-run"],
  report: ["show", "results", "result", "status", "summary", "score", "scores"],
  view: ["serve", "ui", "web", "open", "dashboard"],
  runs: ["ls", "list", "history", "log", "logs"],
  "runs prune": ["prune", "clean", "gc", "rm", "remove"],
  compare: ["diff"],
  grade: ["regrade", "rescore"],
  import: ["convert", "migrate"],
  route: ["ask", "which", "query", "match"],
  collisions: ["conflicts", "overlap", "overlaps"],
  init: ["new", "create", "add", "generate", "scaffold", "draft"],
  doctor: ["info", "env", "setup", "targets", "agents", "models", "login"],
  explain: ["rule", "rules", "docs"],
  completion: ["completions", "complete", "autocomplete"],
  "--version": ["version"],
};

export function requireKnownCommand(argv: readonly string[], whole: Command): void {
  const [first, second, third] = argv.slice(2);
  const [asked, inner] = first === "help" ? [second, third] : [first, second];
  if (asked === undefined || asked.startsWith("-")) return;
  const names = [...whole.commands.map((command) => command.name()), "help"];
  if (!names.includes(asked)) throw unknown(asked, names, `Commands: ${names.join(", ")}.`);
  const within =
    whole.commands.find((command) => command.name() === asked)?.commands.map((command) => command.name()) ?? [];
  if (within.length === 0 || inner === undefined || inner.startsWith("-") || within.includes(inner)) return;
  throw unknown(
    `${asked} ${inner}`,
    within.map((name) => `${asked} ${name}`),
    `proctor ${asked} takes no argument; its commands: ${within.join(", ")}.`,
  );
}

function unknown(asked: string, names: readonly string[], otherwise: string): UsageError {
  const meant = Object.entries(ELSEWHERE).find(([, words]) => words.includes(asked.toLowerCase()))?.[0];
  return new UsageError(
    `there is no command ${asked}`,
    meant === undefined ? didYouMean(asked, names, otherwise) : `Did you mean ${meant}?`,
  );
}
