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
  /** Who answers: as on the command line, or targets of your own. */
  targets?: (string | TargetDefinition)[];
  /** Ends the run: what is under way is finished, nothing new starts. */
  signal?: AbortSignal;
  /** Ends it at once: what is under way is dropped. */
  stop?: AbortSignal;
  on?(event: RunEvent): void;
}

export type RunEvent =
  | ExamEvent
  /** Read and planned; nothing has been asked. */
  | { type: "prepared"; library: Library; problems: Problem[]; broken: Problem[] }
  /** What the branch touches, with `changed`. */
  | { type: "changed"; changed: ChangedSkills }
  /** One library's run has ended. */
  | { type: "result"; result: RunResult };

export interface RunResult extends Omit<Report, "exitCode"> {
  /** What `proctor run` would end with. */
  exitCode: ExitCode;
  library: string;
  /** How it ended, and what was not asked. */
  footer: FooterLine;
  /** Errors in the files of this exam, which was asked without them: the exit code is 2 then. None with `keepGoing`. */
  broken: Problem[];
  /** How it compares with proctor.lock.json, where that was asked for. */
  lock?: LockOutcome | undefined;
}

/**
 * `proctor run` as a function: one result per library that has questions. What cannot be asked at all throws a
 * UsageError.
 */
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

/** What a run would ask of one library, and what that would take. */
export interface RunPlan {
  library: Library;
  questions: QuestionLine[];
  targets: string[];
  /** The filters of a run that does not ask everything. */
  partial: string[];
  estimates: Estimate[];
  /** What applies, wherever it was set. */
  options: Pick<Exam["options"], "filters" | "limits">;
  /** The runs that would show a drop of ten points. */
  drops: SeenDrop[];
  /**
   * What to know before asking: models that nobody here knows, and where trials show the model more than users' hosts
   * will.
   */
  notices: string[];
}

/** `proctor run --dry-run` as a function: asks nobody and spends nothing. */
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

/** The request that a run's options come to; for those who look at what would be read without running it. */
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
  // A resumed run asks what it asked before, unless something else is said.
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
  /** The folder whose `.proctor` keeps the runs, and where the lock lies. */
  home: string;
}

async function prepare(options: RunOptions, resolve?: typeof resolveTarget): Promise<Prepared> {
  const { request, resumed, scope } = await requestOf(options);
  const fleet = await fleetOf(options, scope);
  try {
    const exams = await planExams({ ...request, resolve: fleet?.resolve ?? resolve });
    for (const { targets, options: resolved } of exams) {
      const asked = targets.map(({ target }) => target);
      refuseOnPredictions(
        [...(options.gates ?? []), ...(decidesOnOwnTargets(options, scope) ? (scope.config.config.gates ?? []) : [])],
        asked,
        resolved.allowPredicted,
      );
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

/**
 * A variable is typed for this run as a flag is; a gate that stands beside its targets in a configuration is meant
 * for these.
 */
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

/** Without a name, `--resume` swallows the path that follows it; a run is what has a record. */
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
