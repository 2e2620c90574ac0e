import { ALL, CONFIGURED, ONLY_RUN, type OptionFacts, OUTPUT, SHOWING_OR_CHECK } from "../option.ts";

export const reports = {
  view: {
    kind: { type: "boolean" },
    role: "command",
    about: "show the page while it runs and afterwards, as proctor view does",
    flag: "--view",
    commands: ONLY_RUN,
    group: OUTPUT,
  },
  reporters: {
    kind: { type: "texts" },
    role: "command",
    // The command line fills in the names of the command's reporters.
    about: "{reporters}, each with =FILE (repeat, or separate with commas)",
    flag: "--reporter <list>",
    commands: SHOWING_OR_CHECK,
    group: OUTPUT,
    config: "reporters",
  },
} as const satisfies Record<string, OptionFacts>;

export const common = {
  quiet: {
    kind: { type: "boolean" },
    role: "command",
    about: "show only what needs action",
    aboutOn: { check: "show errors only" },
    flag: "-q, --quiet",
    commands: SHOWING_OR_CHECK,
    group: OUTPUT,
  },
  verbose: {
    kind: { type: "boolean" },
    role: "command",
    about: "show every failure and every row",
    aboutOn: { check: "show notes too, and every problem of each kind" },
    flag: "--verbose",
    commands: SHOWING_OR_CHECK,
    group: OUTPUT,
  },
  config: {
    kind: { type: "text" },
    role: "command",
    about: "configuration to use instead of the nearest proctor.config.*",
    flag: "--config <file>",
    commands: CONFIGURED,
    group: OUTPUT,
  },
  json: {
    kind: { type: "boolean" },
    role: "command",
    about: "print JSON instead",
    flag: "--json",
    commands: ALL,
    group: OUTPUT,
  },
  color: {
    kind: { type: "boolean" },
    role: "command",
    about: "colours (the default on a terminal)",
    flagAbout: "no colours (same as NO_COLOR=1)",
    flag: "--no-color",
    commands: ALL,
    group: OUTPUT,
  },
} as const satisfies Record<string, OptionFacts>;
