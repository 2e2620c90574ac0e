import { resolve } from "node:path";
import { isWithin, type Problem, relativePosix } from "../../base/index.ts";
import { type RunSettings, repeatedFlags } from "../../base/options/index.ts";
import type { Suite } from "../../model/index.ts";
import type { Discovery } from "../find/index.ts";
import { checkConfidence, checkGates } from "./check-options.ts";
import type { Exam } from "./exam.ts";
import { findBaseline } from "./gather/baseline.ts";
import { failedLastTime } from "./gather/failed-questions.ts";
import type { LibraryQuestions, Where } from "./gather/find-questions.ts";
import { type FoundTargets, identifyFor } from "./gather/find-targets.ts";
import { nothingToAsk, refuseBroken } from "./gather/nothing-to-ask.ts";
import { type Plan, planExam } from "./plan.ts";
import { describeFilters } from "./questions/select.ts";
import { baseHome, type LibraryAt } from "./revision/library-at.ts";

interface PlanningRequest extends Pick<Exam, "env" | "home" | "options"> {
  where: Where;
  flags: RunSettings;
  found: Discovery;
  read: readonly LibraryQuestions[];
  asked: FoundTargets;
  revision: LibraryAt | undefined;
}

/** Plans one exam per library that has questions. Throws a UsageError if none has. */
export async function planLibraries(request: PlanningRequest): Promise<Exam[]> {
  const { found, read, asked, options, home, where } = request;
  refuseUnreachable(request);
  const ids = asked.targets.map(({ target }) => target.id);
  const failed = options.filters.failed ? await failedLastTime(home, ids) : undefined;
  const partial = [...describeFilters(options.filters), ...pathFilter(found.root, where)];
  const planned: Exam[] = [];
  for (const one of read) planned.push(await planLibrary(one, { ...request, failed, partial }));
  const suites = read.flatMap((one) => one.suites);
  refuseBroken(planned, suites);
  // A shard without questions still needs a record for the merge.
  const isShard = options.shard !== undefined;
  const asking = planned.filter(({ plan }) => plan.questions.length > 0 || (isShard && plan.suite.files.length > 0));
  if (asking.length === 0) throw nothingToAsk(planned, options, where.cwd);
  return Promise.all(asking.map(async (exam) => ({ ...exam, targets: await identifyFor(exam.library, exam.targets) })));
}

function refuseUnreachable({ found, asked, options }: PlanningRequest): void {
  if (asked.targets.some(({ identity }) => !identity.deterministic)) checkConfidence(options);
  // A gate of the configuration may be on a target that is not asked this time.
  const targets = [...asked.targets.map(({ target }) => target.id), ...asked.settings.keys()];
  const skills = found.libraries.flatMap((library) => library.skills.map(({ id }) => id));
  checkGates(options.gates, targets, skills);
}

async function planLibrary(
  { library, suites, problems }: LibraryQuestions,
  request: PlanningRequest & Pick<Exam, "partial"> & { failed: ReadonlySet<string> | undefined },
): Promise<Exam> {
  const { where, flags, env, home, options, asked, revision, failed, partial } = request;
  const { targets, own, settings, models } = asked;
  for (const { target } of targets) target.admit?.(library);
  const baseline = await findBaseline(options.baseline, library, { cwd: where.cwd, home });
  const plan = planExam({ library, suites, targets, options, own, failed, baseline });
  return {
    library,
    targets,
    settings,
    options,
    plan,
    partial,
    paths: where.paths?.map((path) => resolve(where.cwd, path)),
    said: repeatedFlags(flags),
    home,
    recorded: revision && { home: baseHome(home), root: revision.root },
    problems: [...library.problems, ...problems],
    broken: options.keepGoing ? [] : brokenBy(problems, suites, plan),
    own,
    suites,
    models,
    env,
  };
}

function brokenBy(problems: readonly Problem[], suites: readonly Suite[], plan: Plan): Problem[] {
  const ofQuestions = new Set(
    suites.flatMap(({ triggers, cases }) => [...triggers, ...cases].flatMap(({ faults = [] }) => faults)),
  );
  return problems.filter(
    (problem) => problem.severity === "error" && (!ofQuestions.has(problem) || plan.faults.includes(problem)),
  );
}

function pathFilter(root: string, { cwd, paths }: Where): string[] {
  if (paths === undefined || paths.some((path) => isWithin(resolve(cwd, path), root))) return [];
  return paths.map((path) => relativePosix(root, resolve(cwd, path)));
}
