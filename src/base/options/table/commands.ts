import { count, countOrNone } from "../kinds.ts";
import { type OptionFacts, OUTPUT } from "../option.ts";

export const ofOneCommand = {
  takes: {
    kind: { type: "texts", commas: true },
    role: "command",
    about:
      "take only trials of these: claude, codex, or full targets such as claude:haiku (repeat, or separate with commas)",
    flag: "--targets <list>",
    commands: ["worker"],
  },
  drain: {
    kind: { type: "boolean" },
    role: "command",
    about: "exit when no run needs it any more",
    flag: "--drain",
    commands: ["worker"],
  },
  workerName: {
    kind: { type: "text" },
    role: "command",
    about: "its name in records and on screen (default: host name and process id)",
    flag: "--name <name>",
    commands: ["worker"],
  },
  trials: {
    kind: { type: "text", orTrue: true },
    role: "command",
    about:
      "show instead what was said and done in the trials of the questions that contain this text (default: those that did not pass)",
    flag: "--trials [text]",
    commands: ["report"],
  },
  open: {
    kind: { type: "boolean" },
    role: "command",
    about: "open the page in a browser (the default on a terminal)",
    flagAbout: "print the address without opening a browser",
    flag: "--no-open",
    commands: ["view", "run"],
    group: OUTPUT,
  },
  port: {
    kind: count,
    role: "command",
    about: "port to serve the page on (default: a free one)",
    flag: "--port <n>",
    commands: ["view"],
  },
  format: {
    kind: { type: "choice", of: ["text", "json", "github", "sarif"] },
    role: "command",
    about: "how to show problems",
    default: "text",
    flag: "--format <format>",
    commands: ["check"],
  },
  fix: {
    kind: { type: "boolean" },
    role: "command",
    about: "fix what is safe to fix, changing only those bytes",
    flag: "--fix",
    commands: ["check"],
  },
  maxWarnings: {
    kind: countOrNone,
    role: "command",
    about: "fail if there are more warnings than this",
    flag: "--max-warnings <n>",
    commands: ["check"],
    config: "max_warnings",
  },
  hosts: {
    kind: { type: "texts", commas: true },
    role: "command",
    about: "only the rules of these hosts (repeat, or separate with commas)",
    flag: "--host <host>",
    commands: ["check"],
    config: "hosts",
  },
} as const satisfies Record<string, OptionFacts>;
