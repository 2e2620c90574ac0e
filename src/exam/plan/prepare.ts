import { resolve } from "node:path";
import { isWithin, type Problem, relativePosix, UsageError } from "../../base/index.ts";
import {
  type ExamOptions,
  type RunSettings,
  repeatedFlags,
  resolveExamOptions,
  type TargetSettings,
} from "../../base/options/index.ts";
import type { Library, Suite } from "../../model/index.ts";
import type { ModelOptions, resolveTarget, TargetDefinition } from "../../targets/index.ts";
import { checkConfidence } from "./check-confidence.ts";
import { checkGates } from "./check-gates.ts";
import { findBaseline } from "./gather/baseline.ts";
import { calibrateTargets } from "./gather/calibrate.ts";
import { failedLastTime } from "./gather/failed-questions.ts";
import { findQuestions, type Where } from "./gather/find-questions.ts";
import { findTargets, identifyFor, namedTargets } from "./gather/find-targets.ts";
import { nothingToAsk, refuseBroken } from "./gather/nothing-to-ask.ts";
import { homeOf } from "./gather/proctor-folder.ts";
import { targetsOfSuites } from "./gather/suite-targets.ts";
import { unsureQuestions } from "./gather/unsure-questions.ts";
import { allQuestions, type Plan, type PlannedTarget, planExam } from "./plan.ts";
import { describeFilters, type SuiteQuestion, select } from "./questions/select.ts";
import { baseHome, type LibraryAt } from "./revision/library-at.ts";

export interface ExamRequest extends Where {
  /** Targets that were handed over as objects. */
  defined?: readonly TargetDefinition[];
  flags?: RunSettings;
  env?: NodeJS.ProcessEnv;
  /** How a target is found by its name, when that is not on this machine. */
  resolve?: typeof resolveTarget;
  /** The library as it was at a revision, instead of the one that is found here. */
  revision?: LibraryAt;
}

/** An exam that is ready to be sat: everything is known, and nothing has been asked. */
export interface PreparedExam {
  library: Library;
  targets: PlannedTarget[];
  settings: ReadonlyMap<string, TargetSettings>;
  options: ExamOptions;
  plan: Plan;
  /** The filters of a run that does not ask everything. */
  partial: string[];
  /** What was given to choose questions, absolute. */
  paths?: string[];
  /** The flags that a command must repeat to mean this exam. */
  said: string[];
  /** The folder that holds `.proctor`. */
  home: string;
  /** Where the record goes, and the root it names, where that is not the library's own. */
  recorded?: { home: string; root: string };
  /** What is wrong with the skills and files that were read. */
  problems: Problem[];
  /** Errors in the files of this exam, which is asked without them; none with --keep-going, which accepts that. */
  broken: Problem[];
  env: NodeJS.ProcessEnv;
  /** Each suite is put to its own targets. */
  own: boolean;
  suites: Suite[];
  /** How models are reached: for judges of free text. */
  models: ModelOptions;
}

/** Reads skills, suites and targets, and plans; one exam per library that has questions. What cannot be asked is a UsageError. */
export async function prepareExams(request: ExamRequest): Promise<PreparedExam[]> {
  const { cwd, config, flags = {}, env = process.env, revision } = request;
  const where: Where = { cwd, paths: request.paths, config, ...revision?.at };
  const { paths } = where;
  const options = resolveExamOptions(flags, config);
  const home = homeOf(cwd, config);
  const named = namedTargets(flags, config);
  const { discovery, libraries } = await findQuestions(where, named ?? []);
  const suitesTargets = targetsOfSuites(
    libraries.flatMap(({ suites }) => suites),
    options.filters.cases ? "cases" : options.filters.only,
  );
  const own = flags.ownTargets ?? (named === undefined && suitesTargets !== undefined);
  const found = await findTargets({
    cwd,
    home,
    config,
    flags,
    options,
    env,
    otherwise: suitesTargets ?? ["embedded"],
    defined: request.defined,
    resolve: request.resolve,
  });
  // A gate of the configuration may be on a target that is not asked this time.
  const ids = found.targets.map(({ target }) => target.id);
  const skills = discovery.libraries.flatMap((library) => library.skills.map(({ id }) => id));
  if (options.calibrate && !ids.includes("embedded"))
    throw new UsageError(
      `--calibrate fits the embedded target to what an agent did, and only ${ids.join(", ")} would be asked.`,
      "Add -t embedded, or leave --calibrate out.",
    );
  if (options.filters.unsure && ids.every((id) => id === "embedded"))
    throw new UsageError(
      "--unsure asks somebody else what the embedded target cannot tell, and nobody else would be asked.",
      "Name a target, for example -t router:ollama/qwen3. proctor doctor shows who is on this machine, and what that costs.",
    );
  if (found.targets.some(({ identity }) => !identity.deterministic)) checkConfidence(options);
  checkGates(options.gates, [...ids, ...found.settings.keys()], skills);
  const failed = options.filters.failed ? await failedLastTime(home, ids) : undefined;
  const partial = [...describeFilters(options.filters), ...pathFilter(discovery.root, where.cwd, paths)];
  const prepared: PreparedExam[] = [];
  const matching: SuiteQuestion[] = [];
  for (const { library, suites, problems } of libraries) {
    const targets = options.calibrate ? await calibrateTargets(found.targets, library, home) : found.targets;
    for (const { target } of targets) target.admit?.(library);
    const baseline = await findBaseline(options.baseline, library, { cwd, home });
    const all = allQuestions(suites, library);
    const embedded = targets.find(({ target }) => target.id === "embedded")?.target;
    const unsure = options.filters.unsure ? await unsureQuestions(all, library, embedded) : undefined;
    if (unsure !== undefined) matching.push(...select(all, options.filters, library, [failed]));
    const plan = planExam({ library, suites, targets, options, own, failed, unsure, baseline });
    prepared.push({
      library,
      targets,
      settings: found.settings,
      options,
      plan,
      partial,
      paths: paths?.map((path) => resolve(where.cwd, path)),
      said: repeatedFlags(flags),
      home,
      recorded: revision && { home: baseHome(home), root: revision.root },
      problems: [...library.problems, ...problems],
      broken: options.keepGoing ? [] : brokenBy(problems, suites, plan),
      own,
      suites,
      models: found.models,
      env,
    });
  }
  refuseBroken(
    prepared,
    libraries.flatMap(({ suites }) => suites),
  );
  // A shard may have got no question; its record is needed all the same, to put the shards together.
  const isShard = options.shard !== undefined;
  const asking = prepared.filter(({ plan }) => plan.questions.length > 0 || (isShard && plan.suite.files.length > 0));
  if (asking.length === 0) throw nothingToAsk(prepared, options, { cwd, matching });
  return Promise.all(asking.map(async (exam) => ({ ...exam, targets: await identifyFor(exam.library, exam.targets) })));
}

/** The errors that matter here: of whole files, and of questions that somebody would be asked. */
function brokenBy(problems: readonly Problem[], suites: readonly Suite[], plan: Plan): Problem[] {
  const ofQuestions = new Set(
    suites.flatMap(({ triggers, cases }) => [...triggers, ...cases].flatMap(({ faults = [] }) => faults)),
  );
  return problems.filter(
    (problem) => problem.severity === "error" && (!ofQuestions.has(problem) || plan.faults.includes(problem)),
  );
}

/** Paths choose questions; a run on part of the library's folder is not a run on all of it. */
function pathFilter(root: string, cwd: string, paths: string[] | undefined): string[] {
  if (paths === undefined || paths.some((path) => isWithin(resolve(cwd, path), root))) return [];
  return paths.map((path) => relativePosix(root, resolve(cwd, path)));
}
