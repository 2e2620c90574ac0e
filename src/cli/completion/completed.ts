import type { Argument, Command, Option } from "commander";
import { agentHosts } from "../../hosts/index.ts";

export const SHELLS = ["bash", "zsh", "fish"] as const;

export interface Completed {
  name: string;
  about: string;
  flags: CompletedFlag[];
  takes: Values;
  inner: Completed[];
}

export interface CompletedFlag {
  long: string;
  short?: string | undefined;
  about: string;
  value?: Values | undefined;
  optional: boolean;
}

/** What may be completed: known words, a stored run, a file, or anything. */
export type Values =
  | { kind: "words"; words: readonly string[] }
  | { kind: "runs" }
  | { kind: "files" }
  | { kind: "text" };

const agents = agentHosts.map(({ agent }) => agent.id);
const targets = [
  "embedded",
  "embedded:keywords",
  "embedded:minilm",
  ...agents.map((agent) => `${agent}:`),
  ...["judge:", "router:", "model:", "firstmove:", "agent:", "script:", "replay:"],
];

export function completed(command: Command): Completed {
  const inner = command.commands.map(completed);
  const [first] = command.registeredArguments;
  return {
    name: command.name(),
    about: command.description(),
    flags: command.options.flatMap((option) => (option.long ? [flagOf(option, option.long)] : [])),
    takes: inner.length > 0 ? { kind: "words", words: inner.map(({ name }) => name) } : argumentOf(first),
    inner,
  };
}

function flagOf(option: Option, long: string): CompletedFlag {
  const takes = option.required || option.optional;
  return {
    long,
    short: option.short,
    about: option.description,
    value: takes ? valuesFor(option, long) : undefined,
    optional: option.optional,
  };
}

function valuesFor({ argChoices, flags, description }: Option, long: string): Values {
  if (argChoices !== undefined) return { kind: "words", words: argChoices };
  if (long === "--target" || long === "--targets") return { kind: "words", words: targets };
  if (long === "--host") return { kind: "words", words: agents };
  if (long === "--reporter") return { kind: "words", words: description.split(", each ")[0]?.split(", ") ?? [] };
  if (long === "--resume" || long === "--run") return { kind: "runs" };
  return /[<[](?:file|dir|folder|other)[>\]]/.test(flags) ? { kind: "files" } : { kind: "text" };
}

function argumentOf(argument: Argument | undefined): Values {
  switch (argument?.name()) {
    case "run":
    case "runs":
    case "records":
      return { kind: "runs" };
    case "host":
      return { kind: "words", words: agents };
    case "shell":
      return { kind: "words", words: SHELLS };
    default:
      return { kind: "files" };
  }
}
