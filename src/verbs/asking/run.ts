import { resolve } from "node:path";
import { isTaken, type Problem, UsageError } from "../../base/index.ts";
import { type RunSettings, runSettingsIn, type StartSettings } from "../../base/options/index.ts";
import { cachedTrials, type ExamEvent } from "../../exam/ask/index.ts";
import { planExams, runExam } from "../../exam/index.ts";
import {
  type ChangedSkills,
  changedSkills,
  type Estimate,
  type Exam,
  type ExamRequest,
  estimate,
  noticesOf,
  refuseLockOnPredictions,
  refuseOnPredictions,
  type SeenDrop,
  seenDrops,
} from "../../exam/plan/index.ts";
import { openRecord, type RecordPlace } from "../../exam/record/index.ts";
import { type ExitCode, runExitCode } from "../../exam/score/index.ts";
import type { Fleet } from "../../fleet/index.ts";
import { checkLock, type LockOutcome, resumedSettings, settingsOfRun, updateLock } from "../../history/index.ts";
import type { FooterLine, Library, QuestionLine, Scores } from "../../model/index.ts";
import { resolveForPlan, type resolveTarget, type TargetDefinition } from "../../targets/index.ts";
import { type Report, reportOf } from "../afterwards/report.ts";
import { type OpenScope, openScope, type Scope } from "../scope.ts";

export interface RunOptions extends Scope, Omit<RunSettings, "targets">, StartSettings {
  /** Target ids as on the command line, or target definitions. */
  targets?: (string | TargetDefinition)[];
  /** Ends the run gracefully: trials in progress are finished, nothing new starts. */
  signal?: AbortSignal;
  /** Ends the run at once: trials in progress are dropped. */
  stop?: AbortSignal;
  on?(event: RunEvent): void;
}

export type RunEvent =
  | ExamEvent
  /** The questions are read and planned; nothing has been asked. */
  | { type: "prepared"; library: Library; problems: Problem[]; broken: Problem[] }
  /** The skills that the branch changed, with the option `changed`. */
  | { type: "changed"; changed: ChangedSkills }
  /** The run of one library has ended. */
  | { type: "result"; result: RunResult };

export interface RunResult extends Omit<Report, "exitCode"> {
  /** Exit code of `proctor run`. */
  exitCode: ExitCode;
  library: string;
  /** How the run ended, and what was not asked. */
  footer: FooterLine;
  /** Errors in this exam's files, which were not asked; the exit code is then 2. Empty with `keepGoing`. */
  broken: Problem[];
  /** The comparison with proctor.lock.json, with the option `lock`. */
  lock?: LockOutcome | undefined;
}

export async function run(options: RunOptions = {}): Promise<RunResult[]> {
  const { signal, stop, on = () => {} } = options;
  const prepared = await prepare(options);
  try {
    return await runAll(prepared, { signal, stop, on, lock: options.lock });
  } finally {
    await prepared.fleet?.close();
  }
}

async function runAll(
  { exams, resumed, fleet, home }: Prepared,
  { signal, stop, on, lock }: Pick<RunOptions, "signal" | "stop" | "lock"> & Required<Pick<RunOptions, "on">>,
): Promise<RunResult[]> {
  for (const { library, problems, broken } of exams) on({ type: "prepared", library, problems, broken });
  const results: RunResult[] = [];
  for (const exam of exams) {
    if (signal?.aborted) break;
    for (const text of noticesOf(exam)) on({ type: "notice", text });
    const { place, footer, scores } = await runExam(exam, { finish: signal, stop, resume: resumed, on, fleet });
    const held = lock === undefined ? undefined : holdAgainstLock(lock, home, scores);
    const lockDiffers = held?.status === "differs" && !held.onlyPredictions;
    const result: RunResult = {
      ...(await reportOf(place, scores)),
      exitCode: runExitCode(scores, { broken: exam.broken.length > 0, lockDiffers }),
      library: exam.library.name,
      footer,
      broken: exam.broken,
      lock: held,
    };
    results.push(result);
    on({ type: "result", result });
  }
  return results;
}

function holdAgainstLock(how: NonNullable<RunOptions["lock"]>, home: string, scores: Scores): LockOutcome {
  return how === "update" ? updateLock(home, scores) : checkLock(home, scores);
}

/** What a run would ask of one library, and what it would take. */
export interface RunPlan {
  library: Library;
  questions: QuestionLine[];
  targets: string[];
  /** Filters of this run; empty if everything is asked. */
  partial: string[];
  estimates: Estimate[];
  /** The filters and limits in effect, from flags, environment and configuration. */
  options: Pick<Exam["options"], "filters" | "limits">;
  /** Runs that it takes to notice a drop of ten points. */
  drops: SeenDrop[];
  /** Warnings: models that are unknown here, and targets whose trials show the model more than users' hosts will. */
  notices: string[];
}

export async function plan(options: RunOptions = {}): Promise<RunPlan[]> {
  const { exams, fleet } = await prepare(options, resolveForPlan);
  await fleet?.close();
  return Promise.all(
    exams.map(async (exam) => ({
      library: exam.library,
      questions: exam.plan.questions,
      targets: exam.targets.map(({ target }) => target.id),
      partial: exam.partial,
      estimates: await estimate(exam, await cachedTrials(exam)),
      options: exam.options,
      drops: await seenDrops(exam),
      notices: noticesOf(exam),
    })),
  );
}

export async function requestOf(
  options: RunOptions,
): Promise<{ request: ExamRequest; resumed: RecordPlace | undefined; scope: OpenScope }> {
  const { resume, targets, on, changed, base } = options;
  const flags = runSettingsIn({
    ...options,
    targets: targets?.map((one) => (typeof one === "string" ? one : one.id)),
  });
  const scope = await openScope(options);
  const resumed = resume === undefined ? undefined : await openResumed(scope, resume);
  // A resumed run asks what it asked before, unless the options say otherwise.
  const before = resumed === undefined ? undefined : await settingsOfRun(resumed);
  const asked = scope.paths.length > 0 ? scope.paths : before?.paths;
  const request = {
    cwd: scope.cwd,
    config: scope.config,
    env: scope.env,
    defined: targets?.filter((one) => typeof one !== "string"),
    paths: asked?.length ? asked : undefined,
    flags: resumed === undefined ? flags : await resumedSettings(resumed, flags),
  };
  if (!changed || resumed !== undefined) return { request, resumed, scope };
  const found = await changedSkills(request, base);
  on?.({ type: "changed", changed: found });
  const skills = [...found.touched, ...found.siblings];
  if (skills.length > 0) return { request: { ...request, flags: { ...request.flags, skills } }, resumed, scope };
  throw new UsageError(
    `No skill and no question differs from ${found.base} (${found.commit.slice(0, 7)}): nothing to ask.`,
    undefined,
    0,
  );
}

interface Prepared {
  exams: Exam[];
  resumed: RecordPlace | undefined;
  fleet: Fleet | undefined;
  home: string;
}

async function prepare(options: RunOptions, resolve?: typeof resolveTarget): Promise<Prepared> {
  const { request, resumed, scope } = await requestOf(options);
  const fleet = await fleetOf(options, scope);
  try {
    const exams = await planExams({ ...request, resolve: fleet?.resolve ?? resolve });
    for (const { targets, options: resolved } of exams) {
      const asked = targets.map(({ target }) => target);
      const configured = decidesOnOwnTargets(options, scope) ? scope.config.config.gates : undefined;
      refuseOnPredictions([...(options.gates ?? []), ...(configured ?? [])], asked, resolved.allowPredicted);
      if (options.lock === "check") refuseLockOnPredictions(asked, resolved.allowPredicted);
    }
    if (resumed === undefined || exams.length === 1) return { exams, resumed, fleet, home: scope.home };
    const { library } = await settingsOfRun(resumed);
    return { exams: exams.filter((exam) => exam.library.name === library), resumed, fleet, home: scope.home };
  } catch (error) {
    await fleet?.close();
    throw error;
  }
}

/** PROCTOR_GATES is set for this run, like a flag. Gates of a configuration are meant for the targets beside them. */
function decidesOnOwnTargets({ targets }: RunOptions, { config: { config }, env }: OpenScope): boolean {
  return Boolean(env["PROCTOR_GATES"]) || (targets === undefined && config.targets !== undefined);
}

async function fleetOf(
  { workers, workersWait, on }: RunOptions,
  { config, env }: OpenScope,
): Promise<Fleet | undefined> {
  const url = workers ?? config.config.workers;
  if (url === undefined) return undefined;
  const seconds = workersWait ?? config.config.workers_wait;
  const notice = (text: string) => on?.({ type: "notice", text });
  const { openFleet } = await import("../../fleet/index.ts");
  return openFleet(url, { env, patienceMs: seconds === undefined ? undefined : seconds * 1000, notice });
}

/**
 * Without a run's name, `--resume` takes the path that follows it. If that path exists but holds no record, it is used
 * as a path.
 */
async function openResumed({ home, cwd, paths }: OpenScope, resume: string | true): Promise<RecordPlace> {
  if (resume === true) return openRecord(home);
  try {
    return await openRecord(home, resume);
  } catch (error) {
    if (!isTaken(resolve(cwd, resume))) throw error;
    paths.push(resume);
    return openRecord(home);
  }
}
