import { setMaxListeners } from "node:events";
import { createMask, hideFromOutput } from "../../base/index.ts";
import type { FooterLine, QuestionScore, TrialLine } from "../../model/index.ts";
import type { Target } from "../../targets/index.ts";
import type { Executor, JobResult } from "../grade/index.ts";
import {
  ComparedReplies,
  comparesReplies,
  type FindJudges,
  openJudges,
  programSetting,
  withComparedReplies,
} from "../grade/index.ts";
import { concurrencyOf, judgementsOf, type PlannedAsk, type PreparedExam } from "../plan/index.ts";
import type { CachedAnswer, RecordPlace, RecordWriter } from "../record/index.ts";
import { createPool } from "./attempts/pool.ts";
import { openBudget } from "./limits/open-budget.ts";
import { requireKeys } from "./limits/require-keys.ts";
import { requireLogin } from "./limits/require-login.ts";
import { openAnswers } from "./lines/cached-answers.ts";
import { footerOf } from "./lines/footer.ts";
import { headerOf } from "./lines/header.ts";
import { openRecordOf } from "./lines/open-record.ts";
import { askedLine, cachedLine, worthKeeping } from "./lines/trial-line.ts";
import { Progress, type ProgressSnapshot } from "./progress.ts";
import { runPhases, UnsureAsks } from "./schedule/escalate.ts";
import { runSchedule, type ScheduleEvent, type ScheduleOptions, type ScheduleResult } from "./schedule/schedule.ts";
import { Standings } from "./schedule/standings.ts";
import type { LimitedTarget } from "./schedule/target-queue.ts";
import { secretsOfExam } from "./secrets.ts";
import { type Snapshot, takeSnapshot } from "./snapshot.ts";
import { jobOf } from "./trial.ts";

export interface SittingRequest {
  /** Go on with this stored run. */
  resume?: RecordPlace;
  /** Fires at the first Ctrl-C: what runs is finished, nothing new starts. */
  finish?: AbortSignal;
  /** Fires at the second: what runs is dropped. */
  stop?: AbortSignal;
  on?(event: ExamEvent): void;
  /** Other machines that execute the trials. */
  fleet?: Elsewheres;
}

/** Where trials are executed, when that is not this process alone. */
export interface Elsewheres {
  judges: FindJudges;
  /** `here` executes what is asked here all the same. */
  open(sitting: {
    snapshot: Snapshot;
    record: RecordPlace;
    here: Executor;
    finish: AbortSignal;
    notice(text: string): void;
  }): Promise<Executor>;
}

export type ExamEvent =
  | { type: "record"; place: RecordPlace; resumed: number; complete: boolean }
  | { type: "trial"; line: TrialLine }
  /** A question has failed, whatever else is asked. */
  | { type: "failed"; target: string; question: QuestionScore }
  /** Something a person should know that changes no score. */
  | { type: "notice"; text: string }
  | { type: "progress"; snapshot: ProgressSnapshot }
  | { type: "schedule"; event: ScheduleEvent };

/** Asks everything that is planned and not yet known, and keeps every trial in the record before it counts. */
export async function sitExam(
  exam: PreparedExam,
  request: SittingRequest = {},
): Promise<{ place: RecordPlace; footer: FooterLine }> {
  const snapshot = await takeSnapshot(exam);
  try {
    return await sitSnapshot(snapshot, request);
  } finally {
    await snapshot.remove();
  }
}

async function sitSnapshot(
  snapshot: Snapshot,
  request: SittingRequest,
): Promise<{ place: RecordPlace; footer: FooterLine }> {
  const { exam, staged } = snapshot;
  const never = new AbortController().signal;
  const { finish = never, stop = never, on, resume, fleet } = request;
  for (const signal of [finish, stop]) setMaxListeners(0, signal);

  // What is left of an interrupted run may be little: there every trial decides for itself.
  if (resume === undefined) await requireLogin(exam);
  const secrets = secretsOfExam(exam);
  hideFromOutput(secrets);
  const mask = createMask(secrets);
  const judges = await openJudges(exam, mask, fleet?.judges);
  const budget = await openBudget(exam, judges);
  const header = await headerOf(exam, staged);
  const standings = new Standings(exam, header);
  const progress = new Progress(exam, budget, standings);
  const unsure = new UnsureAsks();
  const replies = new ComparedReplies();
  const answers = openAnswers(exam, staged, mask, judges, replies);
  const open = async () => {
    await requireKeys(exam, header, resume, answers);
    return openRecordOf(exam, header, resume, { mask, standings, budget, progress, unsure });
  };
  const { record, known, ended } = await open().catch(async (error: unknown) => {
    await answers.close();
    throw error;
  });
  on?.({
    type: "record",
    place: record,
    resumed: known,
    complete: exam.plan.asks.every((ask) => standings.needed(ask) === 0),
  });

  const place = { run: record.run, dir: record.dir, file: record.file };
  if (ended !== undefined) {
    await Promise.all([answers.close(), judges?.close(), record.abandon()]);
    return { place, footer: ended };
  }

  const here = createPool({ library: snapshot.library, targets: exam.targets, setting: programSetting(exam) }, judges);
  const notice = (text: string) => on?.({ type: "notice", text });
  const opened =
    fleet === undefined ? Promise.resolve(here) : fleet.open({ snapshot, record: place, here, finish, notice });
  const executing = await opened.catch(async (error: unknown) => {
    await Promise.allSettled([answers.close(), judges?.close(), record.abandon()]);
    throw error;
  });
  const executor = withComparedReplies(executing, replies);
  if (
    resume !== undefined &&
    exam.plan.asks.some(({ questions }) => comparesReplies({ questions: questions.map(({ check }) => check) }))
  )
    await replies.recall(place);
  const closeAll = () => Promise.allSettled([executor.close(), answers.close(), judges?.close()]);
  const tellProgress = () =>
    on?.({ type: "progress", snapshot: { ...progress.snapshot(), workers: executor.elsewhere?.workers() } });
  executor.elsewhere?.onLook(tellProgress);
  const take = async (ask: PlannedAsk, line: TrialLine, last?: Pick<JobResult, "transcript" | "raw">) => {
    await keepTrial(record, line, last);
    standings.add(ask, line);
    const failed = progress.trial(ask, line);
    unsure.note(line);
    on?.({ type: "trial", line });
    for (const question of failed) on?.({ type: "failed", target: ask.target, question });
    tellProgress();
  };

  const schedule = (asks: PlannedAsk[], first?: ScheduleOptions["first"]): Promise<ScheduleResult> =>
    runSchedule({
      asks,
      first,
      targets: exam.targets.map(({ target }) => limited(exam, target, executor)),
      get jobs() {
        return exam.options.jobs + (executor.elsewhere?.places() ?? 0);
      },
      retries: exam.options.retries,
      standings,
      executor,
      budget,
      job: (trial) => jobOf(trial, exam),
      judgements: judges === undefined ? () => 0 : judgementsOf,
      async answerFromCache(trial) {
        const kept = await answers.find(jobOf(trial, exam));
        if (kept?.status !== "line") {
          trial.kept = kept?.answer;
          return false;
        }
        await take(trial.ask, kept.line, ofCase(trial.ask, kept.answer));
        return true;
      },
      async keep({ ask, run, attempts, kept }) {
        const job = jobOf({ ask, run }, exam);
        const last = attempts.at(-1);
        for (const { judgements = [] } of attempts) judges?.learn(judgements);
        if (kept !== undefined && last !== undefined)
          return take(ask, cachedLine(job, kept, last.checks, last.judged), ofCase(ask, kept));
        await take(ask, askedLine(job, attempts, await answers.whyAsked(job)), last);
        if (last !== undefined) answers.learn(job, last);
      },
      finish,
      stop,
      random: Math.random,
      on(event) {
        progress.schedule(event);
        on?.({ type: "schedule", event });
        tellProgress();
      },
    });

  try {
    const result = await runPhases(exam, unsure, schedule);
    const changed = await snapshot.changed();
    const footer = footerOf(exam.plan.asks, { standings, result, saved: progress.saved, changed });
    await closeAll();
    await record.close(footer);
    const problem = answers.problem();
    if (problem !== undefined)
      on?.({ type: "notice", text: `The cache was not written: ${problem}. The next run asks again.` });
    return { place, footer };
  } catch (error) {
    await closeAll();
    await record.abandon().catch(() => {});
    throw error;
  }
}

/** A case is graded again by what happened, whoever answered it when; of a trigger the line says it all. */
function ofCase({ ask }: PlannedAsk, { transcript }: CachedAnswer): Pick<JobResult, "transcript"> | undefined {
  return ask.kind === "case" ? { transcript } : undefined;
}

/** A target that is asked elsewhere is asked as often at once as there are places for it, unless it says how often. */
function limited(exam: PreparedExam, target: Target, { elsewhere }: Executor): LimitedTarget {
  return {
    id: target.id,
    batch: target.batch,
    get limit() {
      const places = elsewhere?.places(target.id);
      if (places === undefined) return concurrencyOf(exam, target);
      return Math.min(exam.settings.get(target.id)?.concurrency ?? target.concurrency ?? places, places);
    },
  };
}

async function keepTrial(
  record: RecordWriter,
  line: TrialLine,
  last: Pick<JobResult, "transcript" | "raw"> | undefined,
): Promise<void> {
  const transcript = last !== undefined && worthKeeping(last.transcript) ? last.transcript : undefined;
  await record.trial(line, { transcript, raw: last?.raw });
}
