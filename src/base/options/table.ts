import { amount, certainty, count, countOrNone, type Kind, runCount, seconds, share } from "./kinds.ts";

export type CommandName =
  | "run"
  | "report"
  | "check"
  | "merge"
  | "grade"
  | "route"
  | "collisions"
  | "init"
  | "see"
  | "runs"
  | "import"
  | "doctor"
  | "worker"
  | "explain"
  | "promote"
  | "view"
  | "compare"
  | "plan"
  | "note";

/**
 * All that is known of one option. Flags, `defineConfig` and its schema, PROCTOR_* variables, the record's header, resuming, scoring, the
 * commands that a report proposes and docs/configuration.md are derived from it.
 */
export interface OptionFacts {
  kind: Kind;
  /**
   * - `exam`: part of what a run is; resuming refuses another value
   * - `reading`: what is made of its scores; resuming refuses another value, `proctor report` takes one
   * - `conduct`: how it is carried out; may change when it is resumed
   * - `start`: an option of `run()` that is no part of the run, and not recorded
   * - `command`: of the command line alone
   */
  role: "exam" | "reading" | "conduct" | "start" | "command";
  /** A phrase for help, schema and docs. The default is added to it. */
  about: string;
  default?: unknown;
  /** As commander writes it: short form, argument, `--no-`. */
  flag?: string;
  /** Where the flag says something else than the option: `--no-cache`; and where a command means something else by it. */
  flagAbout?: string;
  aboutOn?: Partial<Record<CommandName, string>>;
  /** What a flag without an argument sets; otherwise true, or false for `--no-`. */
  flagSets?: string;
  /** What a flag whose argument may be left out means then. */
  bare?: string;
  commands?: readonly CommandName[];
  /** The heading of `proctor run --help` that it stands under. */
  group?: string;
  /** The key in the configuration, or a member of one: `budget.usd`. */
  config?: string;
  /** A plain value of the configuration's key means this member. */
  alone?: true;
  /** What is given is added to what the configuration says. */
  adds?: true;
  /** Where the resolved options and the record's header hold it: `filters.skills`. Recorded names never change: old records are read by them. */
  recorded?: string;
  /** The factor between the option and the recorded number. */
  times?: number;
  /** Means nothing without this option, and is neither recorded nor repeated. */
  onlyWith?: string;
  /** Scoring reads it back from the header. */
  scored?: true;
  /** A command that is to mean the same exam must repeat it. */
  repeated?: true;
}

const QUESTIONS = "Which questions:";
const OFTEN = "How many runs:";
const MUCH = "How it runs:";
const MEANING = "How it is scored:";
const SEEN = "Output:";

const ONLY_RUN = ["run"] as const;
const PLANNED = ["run", "plan"] as const;
/** Those that ask. */
const RUN = ["run", "compare", "plan"] as const;
const SCORING = ["run", "report"] as const;
/** Those that show a run. */
const SHOWING = ["run", "report", "merge", "grade", "compare"] as const;
const SHOWING_OR_CHECK = [...SHOWING, "check"] as const;
const CONFIGURED = [...SHOWING_OR_CHECK, "route", "collisions", "init", "see", "runs", "view", "plan", "note"] as const;
const ALL = [...CONFIGURED, "import", "doctor", "worker", "explain", "promote"] as const;

/** Every option, in the order in which help shows them. */
const table = {
  targets: {
    kind: { type: "texts" },
    role: "exam",
    about: "who answers, and settings per target",
    flag: "-t, --target <target>",
    flagAbout: "who answers: one of the targets below (repeat for several; default embedded)",
    aboutOn: {
      plan: "who would answer: a target of proctor run (repeat for several; default embedded)",
      compare: "who answers: a target of proctor run (repeat for several; default embedded)",
    },
    commands: RUN,
    config: "targets",
  },

  skills: {
    kind: { type: "texts" },
    role: "exam",
    about: "questions about this skill",
    flag: "--skill <name>",
    commands: RUN,
    group: QUESTIONS,
    recorded: "filters.skills",
    repeated: true,
  },
  cases: {
    kind: { type: "texts" },
    role: "exam",
    about: "this case only, and no triggers",
    flag: "--case <name>",
    commands: RUN,
    group: QUESTIONS,
    recorded: "filters.cases",
    repeated: true,
  },
  tags: {
    kind: { type: "texts" },
    role: "exam",
    about: "questions with this tag",
    flag: "--tag <tag>",
    commands: RUN,
    group: QUESTIONS,
    recorded: "filters.tags",
    repeated: true,
  },
  grep: {
    kind: { type: "texts" },
    role: "exam",
    about: "questions whose id or prompt contains this text, or any of several",
    flag: "--grep <text>",
    commands: RUN,
    group: QUESTIONS,
    recorded: "filters.grep",
    repeated: true,
  },
  only: {
    kind: { type: "choice", of: ["triggers", "cases"] },
    role: "exam",
    about: "one kind of question",
    flag: "--only <kind>",
    commands: RUN,
    group: QUESTIONS,
    recorded: "filters.only",
    repeated: true,
  },
  failed: {
    kind: { type: "boolean" },
    role: "exam",
    about: "questions that did not pass in the last run on these targets",
    flag: "--failed",
    commands: PLANNED,
    group: QUESTIONS,
    recorded: "filters.failed",
  },
  cross: {
    kind: { type: "boolean" },
    role: "exam",
    about: "also check every positive against its sibling skills; asks nothing new",
    default: false,
    flag: "--cross",
    commands: RUN,
    group: QUESTIONS,
    recorded: "cross",
    repeated: true,
  },
  shard: {
    kind: { type: "shard" },
    role: "exam",
    about: "the i-th of n parts; proctor merge puts them back together",
    flag: "--shard <i/n>",
    commands: ONLY_RUN,
    group: QUESTIONS,
    recorded: "shard",
  },
  keepGoing: {
    kind: { type: "boolean" },
    role: "conduct",
    about: "do not fail the run over what cannot be read or asked",
    default: false,
    flag: "--keep-going",
    commands: RUN,
    group: QUESTIONS,
    recorded: "keepGoing",
    repeated: true,
  },

  runs: {
    kind: runCount,
    role: "exam",
    about: "times to ask each question (triggers 3, cases 1; deterministic targets always 1)",
    flag: "--runs <n>",
    commands: RUN,
    group: OFTEN,
    recorded: "runs.flag",
    repeated: true,
  },
  triggerRuns: {
    kind: runCount,
    role: "exam",
    about: "times to ask each trigger whose suite does not say",
    default: 3,
    config: "runs.triggers",
    alone: true,
    recorded: "runs.triggers",
  },
  caseRuns: {
    kind: runCount,
    role: "exam",
    about: "times to ask each case whose suite does not say",
    default: 1,
    config: "runs.cases",
    alone: true,
    recorded: "runs.cases",
  },
  earlyStop: {
    kind: { type: "boolean" },
    role: "exam",
    about: "stop asking when the remaining runs cannot change a verdict",
    default: true,
    flag: "--no-early-stop",
    flagAbout: "make every run, even when the rest cannot change the verdict",
    commands: RUN,
    group: OFTEN,
    config: "early_stop",
    recorded: "earlyStop",
    scored: true,
    repeated: true,
  },
  confidence: {
    kind: certainty,
    role: "exam",
    about: "instead of a fixed number of runs: ask until each verdict is this certain, for example 0.95",
    flag: "--confidence <level>",
    commands: RUN,
    group: OFTEN,
    recorded: "confidence",
    scored: true,
    repeated: true,
  },
  maxRuns: {
    kind: runCount,
    role: "exam",
    about: "with --confidence: at most this many times",
    default: 30,
    flag: "--max-runs <n>",
    commands: RUN,
    group: OFTEN,
    recorded: "maxRuns",
    onlyWith: "confidence",
    repeated: true,
  },

  budget: {
    kind: amount,
    role: "conduct",
    about: "budget in dollars: nothing starts that would exceed it",
    flag: "--budget <dollars>",
    flagAbout: "start nothing that would exceed this amount",
    commands: RUN,
    group: MUCH,
    config: "budget.usd",
    alone: true,
    recorded: "limits.usd",
  },
  budgetTokens: {
    kind: countOrNone,
    role: "conduct",
    about: "the same in tokens",
    flag: "--budget-tokens <n>",
    commands: RUN,
    group: MUCH,
    config: "budget.tokens",
    recorded: "limits.tokens",
  },
  maxTrials: {
    kind: countOrNone,
    role: "conduct",
    about: "the same in trials",
    flag: "--max-trials <n>",
    commands: RUN,
    group: MUCH,
    config: "budget.trials",
    recorded: "limits.trials",
  },
  jobs: {
    kind: count,
    role: "conduct",
    about: "trials to run at once on this machine, across all targets",
    default: 8,
    aboutOn: { worker: "trials to run at once" },
    flag: "--jobs <n>",
    commands: ["run", "compare", "worker"],
    group: MUCH,
    config: "jobs",
    recorded: "jobs",
  },
  timeoutSeconds: {
    kind: seconds,
    role: "exam",
    about: "time limit for a trial, in seconds",
    default: 120,
    flag: "--timeout <seconds>",
    flagAbout: "time limit for a trial",
    commands: RUN,
    group: MUCH,
    config: "timeout_seconds",
    recorded: "timeoutMs",
    times: 1000,
    repeated: true,
  },
  maxTurns: {
    kind: count,
    role: "exam",
    about: "turn limit for a trial",
    flag: "--max-turns <n>",
    commands: RUN,
    group: MUCH,
    config: "max_turns",
    recorded: "maxTurns",
    repeated: true,
  },
  sandbox: {
    kind: { type: "choice", of: ["auto", "on", "off"] },
    role: "exam",
    about: "agents: use a sandbox where there is one (auto), refuse to run without one (on), or use none (off)",
    flag: "--no-sandbox",
    flagAbout: "agents: run without a sandbox; they can then change files outside their workspace",
    flagSets: "off",
    commands: RUN,
    group: MUCH,
    recorded: "agentOptions.sandbox",
    repeated: true,
  },
  allowHooks: {
    kind: { type: "boolean" },
    role: "conduct",
    about: "agents: even without a sandbox, ask about skills whose hooks or commands the agent runs unprompted",
    flag: "--allow-hooks",
    commands: RUN,
    group: MUCH,
    recorded: "agentOptions.allow_hooks",
    repeated: true,
  },
  useLogin: {
    kind: { type: "boolean" },
    role: "exam",
    about:
      "agents: use your own login instead of a key, as a copy that cannot be renewed and is deleted after the trial",
    flag: "--use-login",
    commands: [...RUN, "route"],
    group: MUCH,
    recorded: "agentOptions.use_login",
    repeated: true,
  },
  realistic: {
    kind: { type: "boolean" },
    role: "exam",
    about: "agents: keep the skills bundled with the host, which compete with yours",
    flag: "--realistic",
    commands: RUN,
    group: MUCH,
    recorded: "agentOptions.realistic",
    repeated: true,
  },
  withSkills: {
    kind: { type: "folders" },
    role: "exam",
    about: "agents: stage the skills of this folder alongside yours, as distractors",
    flag: "--with-skills <dir>",
    commands: RUN,
    group: MUCH,
    recorded: "agentOptions.with_skills",
    repeated: true,
  },
  withContext: {
    kind: { type: "boolean" },
    role: "exam",
    about:
      "agents: stage your project's own instructions (AGENTS.md, CLAUDE.md …, as each host reads them), which compete with skills",
    flag: "--with-context",
    commands: RUN,
    group: MUCH,
    recorded: "agentOptions.with_context",
    repeated: true,
  },
  baseline: {
    kind: { type: "text" },
    role: "exam",
    about:
      "cases: also ask each one without its skill, or with another version of it (=OTHER: a folder or a git revision), and report the difference",
    flag: "--baseline [other]",
    bare: "without",
    commands: RUN,
    group: MUCH,
    recorded: "baseline",
    repeated: true,
  },
  onlySkill: {
    kind: { type: "boolean" },
    role: "exam",
    about: "agents: stage only the skill under test for a case, not the whole library",
    flag: "--only-skill",
    commands: RUN,
    group: MUCH,
    recorded: "agentOptions.only_skill",
    repeated: true,
  },
  keepWorkspaces: {
    kind: { type: "boolean" },
    role: "conduct",
    about: "agents: keep their workspaces for inspection",
    flag: "--keep-workspaces",
    commands: RUN,
    group: MUCH,
    recorded: "agentOptions.keep_workspaces",
  },
  agentOptions: {
    kind: { type: "members" },
    role: "conduct",
    about: "further options of every agent target, as under `options` of a target in the configuration",
    recorded: "agentOptions",
  },
  retries: {
    kind: countOrNone,
    role: "conduct",
    about: "retries after a transient error",
    default: 3,
    flag: "--retries <n>",
    commands: RUN,
    group: MUCH,
    config: "retries",
    recorded: "retries",
  },
  cache: {
    kind: { type: "boolean" },
    role: "conduct",
    about: "reuse answers to unchanged asks",
    default: true,
    flag: "--no-cache",
    flagAbout: "neither use nor store cached answers",
    commands: RUN,
    group: MUCH,
    config: "cache",
    recorded: "cache",
  },
  refresh: {
    kind: { type: "boolean" },
    role: "conduct",
    about: "ask everything again and store the new answers",
    default: false,
    flag: "--refresh",
    commands: RUN,
    group: MUCH,
    recorded: "refresh",
  },
  changed: {
    kind: { type: "boolean" },
    role: "start",
    about: "questions about the skills that this branch touches, and about the siblings that compete with them",
    flag: "--changed",
    commands: RUN,
    group: QUESTIONS,
  },
  base: {
    kind: { type: "text" },
    role: "start",
    about: "with --changed: the revision that this branch comes from (default: the remote's main branch)",
    aboutOn: {
      compare: "compare what is here with the library as it was at this revision (a branch, a tag, a commit)",
    },
    flag: "--base <revision>",
    commands: RUN,
    group: QUESTIONS,
  },
  lock: {
    kind: { type: "choice", of: ["check", "update"] },
    role: "start",
    about: "fail where results differ from proctor.lock.json beyond noise",
    flag: "--lock",
    flagSets: "check",
    commands: ONLY_RUN,
    group: MEANING,
  },
  updateLock: {
    kind: { type: "boolean" },
    role: "command",
    about:
      "write which skill wins each question, and how often, to proctor.lock.json, so that reviewers see routing changes",
    flag: "--update-lock",
    commands: ONLY_RUN,
    group: MEANING,
  },
  resume: {
    kind: { type: "text", orTrue: true },
    role: "start",
    about: "continue a run that was interrupted (the newest unless named)",
    flag: "--resume [run]",
    commands: ONLY_RUN,
    group: MUCH,
  },
  workers: {
    kind: { type: "text" },
    role: "start",
    about: "address of the Redis that proctor worker connects to: trials run on the workers' machines",
    flag: "--workers <url>",
    commands: RUN,
    group: MUCH,
    config: "workers",
  },
  workersWait: {
    kind: seconds,
    role: "start",
    about: "with workers: how many seconds to wait for a worker that can do the remaining work",
    default: 300,
    flag: "--workers-wait <seconds>",
    flagAbout: "with --workers: how long to wait for a worker that can do the remaining work",
    commands: RUN,
    group: MUCH,
    config: "workers_wait",
  },
  dryRun: {
    kind: { type: "boolean" },
    role: "command",
    about: "show the plan, its time and its cost, without asking or spending anything",
    flag: "--dry-run",
    commands: ONLY_RUN,
    group: MUCH,
  },
  view: {
    kind: { type: "boolean" },
    role: "command",
    about: "show the page while it runs and afterwards, as proctor view does",
    flag: "--view",
    commands: ONLY_RUN,
    group: SEEN,
  },
  watch: {
    kind: { type: "boolean" },
    role: "command",
    about: "run again whenever a skill or a suite changes",
    flag: "--watch",
    commands: ONLY_RUN,
    group: MUCH,
  },

  threshold: {
    kind: share,
    role: "exam",
    about: "hit rate at which a positive passes",
    default: 0.5,
    flag: "--threshold <share>",
    commands: RUN,
    group: MEANING,
    config: "threshold",
    recorded: "threshold",
    scored: true,
    repeated: true,
  },
  negativeThreshold: {
    kind: share,
    role: "exam",
    about: "hit rate below which a negative passes",
    default: 0.5,
    flag: "--negative-threshold <share>",
    commands: RUN,
    group: MEANING,
    config: "negative_threshold",
    recorded: "negativeThreshold",
    scored: true,
    repeated: true,
  },
  evidence: {
    kind: { type: "choice", of: ["any", "loaded"] },
    role: "exam",
    about: "what counts as an activation: any evidence, or only loads that the host confirmed",
    default: "any",
    flag: "--evidence <rule>",
    commands: RUN,
    group: MEANING,
    config: "evidence",
    recorded: "evidence",
    scored: true,
    repeated: true,
  },
  judge: {
    kind: { type: "text" },
    role: "exam",
    about: "the model that judges free text, whichever one a suite names",
    flag: "--judge <model>",
    commands: RUN,
    group: MEANING,
    config: "judge",
    recorded: "judge",
    repeated: true,
  },
  // Above the gates, because the help of `report` lists it first; help groups options by heading in any case.
  reporters: {
    kind: { type: "texts" },
    role: "command",
    about:
      "terminal, json, html, junit, markdown, github, sarif, gitlab, csv, csv-trials, otlp, evolve, skill-creator, waza, each with =FILE (repeat, or separate with commas)",
    aboutOn: {
      check:
        "terminal, json, junit, markdown, github, sarif, gitlab, csv, each with =FILE (repeat, or separate with commas)",
      compare:
        "terminal, json, junit, markdown, github, sarif, gitlab, csv, each with =FILE (repeat, or separate with commas)",
    },
    flag: "--reporter <list>",
    commands: SHOWING_OR_CHECK,
    group: SEEN,
    config: "reporters",
  },
  gates: {
    kind: { type: "texts" },
    role: "reading",
    about: "fail unless this holds: 'recall>=0.8', 'lower(precision)>=0.7', 'skill:NAME score>=0.75'",
    default: [],
    aboutOn: { report: "check these scores against another gate" },
    flag: "--gate <gate>",
    commands: SCORING,
    group: MEANING,
    config: "gates",
    adds: true,
    recorded: "gates",
    scored: true,
  },
  changeGates: {
    kind: { type: "texts" },
    role: "command",
    about: "proctor compare: fail unless this holds: no-regression, 'recall drop<=0.05', 'new-thefts<=0'",
    aboutOn: { compare: "fail unless this holds: no-regression, 'recall drop<=0.05', 'new-thefts<=0', 'recall>=0.8'" },
    flag: "--gate <gate>",
    commands: ["compare"],
    group: MEANING,
    config: "change_gates",
  },
  minCoverage: {
    kind: share,
    role: "reading",
    about: "share of the questions that must get a verdict",
    default: 1,
    aboutOn: { report: "share of the questions that must have a verdict (as in the run)" },
    flag: "--min-coverage <share>",
    commands: [...SCORING, "compare"],
    group: MEANING,
    config: "min_coverage",
    recorded: "minCoverage",
    scored: true,
  },
  allowPredicted: {
    kind: { type: "boolean" },
    role: "reading",
    about: "let targets that only predict decide the exit code",
    default: false,
    flag: "--allow-predicted",
    commands: [...SCORING, "compare"],
    group: MEANING,
    config: "allow_predicted",
    recorded: "allowPredicted",
    scored: true,
  },
  ownTargets: {
    kind: { type: "boolean" },
    role: "exam",
    about: "put each suite to its own targets",
    recorded: "ownTargets",
  },

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
    group: SEEN,
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
  quiet: {
    kind: { type: "boolean" },
    role: "command",
    about: "show only what needs action",
    aboutOn: { check: "show errors only" },
    flag: "-q, --quiet",
    commands: SHOWING_OR_CHECK,
    group: SEEN,
  },
  verbose: {
    kind: { type: "boolean" },
    role: "command",
    about: "show every failure and every row",
    aboutOn: { check: "show notes too, and every problem of each kind" },
    flag: "--verbose",
    commands: SHOWING_OR_CHECK,
    group: SEEN,
  },
  config: {
    kind: { type: "text" },
    role: "command",
    about: "configuration to use instead of the nearest proctor.config.*",
    flag: "--config <file>",
    commands: CONFIGURED,
    group: SEEN,
  },
  json: {
    kind: { type: "boolean" },
    role: "command",
    about: "print JSON instead",
    flag: "--json",
    commands: ALL,
    group: SEEN,
  },
  color: {
    kind: { type: "boolean" },
    role: "command",
    about: "colours (the default on a terminal)",
    flagAbout: "no colours (same as NO_COLOR=1)",
    flag: "--no-color",
    commands: ALL,
    group: SEEN,
  },
} as const satisfies Record<string, OptionFacts>;

export type Table = typeof table;
export type OptionName = keyof Table;

export interface Option extends OptionFacts {
  name: OptionName;
}

/** The table's rows. */
export const allOptions: readonly Option[] = Object.entries<OptionFacts>(table).map(([name, facts]) => ({
  name: name as OptionName,
  ...facts,
}));

/** The options that make up a run. */
export const runOptions: readonly Option[] = allOptions.filter(({ role }) => role !== "start" && role !== "command");

/** `PROCTOR_JOBS`: the configuration's key, else the option's name, in capitals. What only code or one command line can mean has none. */
export function variableOf({ name, kind, role, flag, config, alone }: Option): string | undefined {
  const key = config?.split(".")[0];
  if (config !== undefined && (config === key || alone)) return `PROCTOR_${key?.toUpperCase()}`;
  // PROCTOR_RUNS is the configuration's `runs`, which a suite's own number beats.
  if (role === "start" || role === "command" || kind.type === "members" || flag === undefined || name === "runs")
    return undefined;
  return `PROCTOR_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}

/** How a person names it: by its flag, else by its key in the configuration. */
export function nameOf({ name, flag, config }: Option): string {
  return (flag === undefined ? undefined : longFlag(flag)) ?? config ?? name;
}

/** `--target` of `-t, --target <target>`. */
export function longFlag(flag: string): string {
  return /--[a-z-]+/.exec(flag)?.[0] ?? flag;
}

/** What a flag without an argument sets; undefined for one that has an argument. */
export function flagValue({ flag = "", flagSets }: OptionFacts): unknown {
  if (/[<[]/.test(flag)) return undefined;
  return flagSets ?? !flag.startsWith("--no-");
}
