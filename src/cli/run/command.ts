import { resolve } from "node:path";
import { Command, InvalidArgumentError, Option } from "commander";
import type { ExamFlags } from "../../options/index.ts";
import { RUN_HELP } from "./help.ts";

/** What commander makes of the command line. */
export interface RunFlags {
  target: string[];
  skill: string[];
  case: string[];
  tag: string[];
  grep?: string;
  only?: "triggers" | "cases";
  failed?: boolean;
  cross?: boolean;
  runs?: number;
  confidence?: number;
  maxRuns?: number;
  earlyStop: boolean;
  threshold?: number;
  negativeThreshold?: number;
  evidence?: "any" | "loaded";
  gate: string[];
  minCoverage?: number;
  allowPredicted?: boolean;
  jobs?: number;
  timeout?: number;
  maxTurns?: number;
  retries?: number;
  budget?: number;
  budgetTokens?: number;
  maxTrials?: number;
  cache: boolean;
  refresh?: boolean;
  escalate?: boolean;
  calibrate?: boolean;
  judge?: string;
  shard?: string;
  resume?: string | true;
  dryRun?: boolean;
  watch?: boolean;
  keepGoing?: boolean;
  sandbox?: boolean;
  useLogin?: boolean;
  realistic?: boolean;
  withSkills: string[];
  keepWorkspaces?: boolean;
  reporter: string[];
  quiet?: boolean;
  verbose?: boolean;
  config?: string;
}

export function runCommand(): Command {
  return new Command("run")
    .description("Put the triggers and cases of your suites to one or more targets, and say what failed and why.")
    .argument("[paths...]", "skills or suites to ask about (default: everything from the root)")
    .option("-t, --target <target>", "who answers: one of those below (repeat for several; default embedded)", collect, [])
    .optionsGroup("Which questions:")
    .option("--skill <name>", "questions of this skill (repeat)", collect, [])
    .option("--case <name>", "this case alone, without triggers (repeat)", collect, [])
    .option("--tag <tag>", "questions with this tag (repeat)", collect, [])
    .option("--grep <text>", "questions whose id or prompt has this text")
    .addOption(new Option("--only <kind>", "one kind of question").choices(["triggers", "cases"]))
    .option("--failed", "questions that did not pass in the last run on these targets")
    .option("--cross", "check every positive on its siblings too; asks nothing new")
    .option("--shard <i/n>", "the i-th of n parts; proctor merge puts them together")
    .option("--keep-going", "ask the rest although some files cannot be read")
    .optionsGroup("How often:")
    .option("--runs <n>", "ask every question so often (triggers 3, cases 1; deterministic targets always 1)", whole(1))
    .option("--no-early-stop", "make every run, even when it cannot change the verdict")
    .option("--confidence <level>", "instead: ask until the verdict is this sure, 0.95 say", share)
    .option("--max-runs <n>", "with --confidence: at most so often (30)", whole(1))
    .optionsGroup("How much, how fast:")
    .option("--budget <dollars>", "nothing starts that would pass it", amount)
    .option("--budget-tokens <n>", "the same in tokens", whole(0))
    .option("--max-trials <n>", "the same in trials", whole(0))
    .option("--jobs <n>", "trials at once (8)", whole(1))
    .option("--timeout <seconds>", "time limit of a trial (120)", amount)
    .option("--max-turns <n>", "turn limit of a trial", whole(1))
    .option("--no-sandbox", "agents: without a sandbox, although they could change files outside their workspace")
    .option("--use-login", "agents: with your own login instead of a key; a copy of it that cannot be renewed, gone after the trial")
    .option("--realistic", "agents: keep the skills that the host brings along, which compete")
    .option("--with-skills <dir>", "agents: put the skills of this folder beside yours, as distractors (repeat)", collect, [])
    .option("--keep-workspaces", "agents: leave their folders for a look")
    .option("--retries <n>", "tries after an error that can pass (3)", whole(0))
    .option("--no-cache", "neither use nor keep answers")
    .option("--refresh", "ask everything anew and keep the answers")
    .option("--escalate", "ask costly targets first what the embedded one is unsure of")
    .option("--calibrate", "fit the embedded target's thresholds to these suites")
    .option("--resume [run]", "go on with a run that was interrupted (the newest unless named)")
    .option("--dry-run", "show the plan with what it would take; asks and spends nothing")
    .option("--watch", "run again when a skill or a suite changes")
    .optionsGroup("What it means:")
    .option("--threshold <share>", "a positive passes at this hit rate (0.5)", share)
    .option("--negative-threshold <share>", "a negative passes below this hit rate (0.5)", share)
    .addOption(new Option("--evidence <rule>", "what counts as an activation").choices(["any", "loaded"]))
    .option("--judge <model>", "the model that judges free text, whatever a suite names")
    .option("--gate <gate>", "fail unless it holds: 'recall>=0.8', 'lower(precision)>=0.7', 'skill:NAME score>=0.75' (repeat)", collect, [])
    .option("--min-coverage <share>", "share of the questions that must get a verdict (1)", share)
    .option("--allow-predicted", "let targets that only predict decide the exit code")
    .optionsGroup("What you see:")
    .option("--reporter <list>", "terminal, json=FILE (repeat, or separate with commas)", collect, [])
    .option("--quiet", "only what must be acted on")
    .option("--verbose", "every failure and every row")
    .option("--config <file>", "configuration to use instead of the nearest proctor.config.*")
    .addHelpText("after", RUN_HELP)
    .action(async (paths: string[], flags: RunFlags) => {
      const { run } = await import("./run.ts");
      process.exitCode = await run(paths, flags);
    });
}

/** The flags under the names the exam knows; what was not said is absent. */
export function examFlags(flags: RunFlags, shard: ExamFlags["shard"]): ExamFlags {
  const given = {
    targets: flags.target.length > 0 ? flags.target : undefined,
    skills: flags.skill,
    cases: flags.case,
    tags: flags.tag,
    grep: flags.grep,
    only: flags.only,
    failed: flags.failed,
    cross: flags.cross,
    shard,
    runs: flags.runs,
    confidence: flags.confidence,
    maxRuns: flags.maxRuns,
    earlyStop: flags.earlyStop ? undefined : false,
    threshold: flags.threshold,
    negativeThreshold: flags.negativeThreshold,
    evidence: flags.evidence,
    gates: flags.gate,
    minCoverage: flags.minCoverage,
    allowPredicted: flags.allowPredicted,
    jobs: flags.jobs,
    timeoutSeconds: flags.timeout,
    maxTurns: flags.maxTurns,
    retries: flags.retries,
    budget: flags.budget,
    budgetTokens: flags.budgetTokens,
    maxTrials: flags.maxTrials,
    cache: flags.cache ? undefined : false,
    refresh: flags.refresh,
    escalate: flags.escalate,
    calibrate: flags.calibrate,
    judge: flags.judge,
    keepGoing: flags.keepGoing,
    agentOptions: agentOptions(flags),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as ExamFlags;
}

function agentOptions(flags: RunFlags): ExamFlags["agentOptions"] {
  const given = {
    ...(flags.sandbox === false && { sandbox: "off" }),
    ...(flags.useLogin && { use_login: true }),
    ...(flags.realistic && { realistic: true }),
    ...(flags.withSkills.length > 0 && { with_skills: flags.withSkills.map((dir) => resolve(dir)) }),
    ...(flags.keepWorkspaces && { keep_workspaces: true }),
  };
  return Object.keys(given).length === 0 ? undefined : given;
}

function collect(value: string, before: string[]): string[] {
  return [...before, value];
}

function whole(least: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!Number.isInteger(value) || value < least) throw new InvalidArgumentError(`It is a whole number, ${least} or more.`);
    return value;
  };
}

function amount(text: string): number {
  const value = Number(text.replace(/^\$/, ""));
  if (!Number.isFinite(value) || value < 0 || text.trim() === "") throw new InvalidArgumentError("It is a number, 0 or more.");
  return value;
}

function share(text: string): number {
  const value = Number(text);
  if (!(value >= 0 && value <= 1) || text.trim() === "") throw new InvalidArgumentError("It is a share between 0 and 1.");
  return value;
}
