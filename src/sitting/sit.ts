import { setMaxListeners } from "node:events";
import type { PreparedExam } from "../plan/index.ts";
import { type AskUnit, makeUnits } from "../plan/index.ts";
import { createMask, type FooterLine, type RecordPlace, stageLibrary, type TrialLine } from "../records/index.ts";
import { openAnswers } from "./cached-answers.ts";
import { Doubts } from "./escalate.ts";
import type { Job } from "./executor.ts";
import { headerOf } from "./header.ts";
import { openBudget } from "./open-budget.ts";
import { openRecordOf } from "./open-record.ts";
import { createPool } from "./pool.ts";
import { Progress, type ProgressSnapshot } from "./progress.ts";
import { refuseUnready } from "./require-keys.ts";
import { refuseOutlasted } from "./require-login.ts";
import { runSchedule, type ScheduleEvent, type ScheduleResult, type Trial } from "./schedule.ts";
import { secretsOf } from "./secrets.ts";
import { judgeOfText } from "./text-judge.ts";
import { askedLine, worthKeeping } from "./trial-line.ts";

export interface SittingRequest {
  /** Go on with this stored run. */
  resume?: RecordPlace;
  /** Fires at the first Ctrl-C: what runs is finished, nothing new starts. */
  finish?: AbortSignal;
  /** Fires at the second: what runs is dropped. */
  stop?: AbortSignal;
  on?(event: ExamEvent): void;
}

export type ExamEvent =
  | { type: "record"; place: RecordPlace; resumed: number; complete: boolean }
  | { type: "trial"; line: TrialLine }
  | { type: "progress"; snapshot: ProgressSnapshot }
  | { type: "schedule"; event: ScheduleEvent };

export interface SatExam {
  place: RecordPlace;
  footer: FooterLine;
}

/** Asks everything that is planned and not yet known, and keeps every trial in the record before it counts. */
export async function sitExam(exam: PreparedExam, request: SittingRequest = {}): Promise<SatExam> {
  const { plan, options, targets } = exam;
  const never = new AbortController().signal;
  const { finish = never, stop = never, on = () => {} } = request;
  const tellProgress = request.on === undefined ? () => {} : () => on({ type: "progress", snapshot: progress.snapshot() });
  for (const signal of [finish, stop]) setMaxListeners(0, signal);

  // What is left of an interrupted run may be little: there every trial decides for itself.
  if (request.resume === undefined) await refuseOutlasted(exam);
  const budget = await openBudget(exam);
  const units = makeUnits(plan, targets, options);
  const judge = await judgeOfText(units, exam);
  const progress = new Progress(units, budget, options.limits.usd);
  const doubts = new Doubts();
  const staged = await stageLibrary(exam.library);
  const mask = createMask(secretsOf(exam));
  const header = await headerOf(exam, staged);
  const answers = openAnswers(exam, staged, mask, judge);
  const opened = async () => {
    await refuseUnready(exam, request.resume, answers, (unit, run) => makeJob(unit, run, exam));
    return openRecordOf(exam, header, request.resume, { mask, units, budget, progress, doubts });
  };
  const { record, known } = await opened().catch(async (error: unknown) => {
    await answers.close();
    throw error;
  });
  on({ type: "record", place: record, resumed: known, complete: units.every((unit) => unit.needed() === 0) });

  const models = new Map(
    targets.flatMap(({ target, identity }) => (identity.model === undefined ? [] : [[target.id, identity.model] as const])),
  );
  const executor = createPool({
    targets: new Map(targets.map(({ target }) => [target.id, target])),
    library: exam.library,
    models,
    ...(judge && { judge }),
  });
  const jobOf = ({ unit, run }: Trial): Job => makeJob(unit as AskUnit, run, exam);

  async function keep(unit: AskUnit, line: TrialLine, last?: Trial["attempts"][number]): Promise<void> {
    const transcript = last !== undefined && worthKeeping(last.transcript) ? last.transcript : undefined;
    await record.trial(line, { ...(transcript && { transcript }), ...(last?.raw !== undefined && { raw: last.raw }) });
    unit.count(line);
    progress.trial(unit, line);
    doubts.note(line.ask, line.prediction);
    on({ type: "trial", line });
    tellProgress();
  }

  const schedule = (some: AskUnit[]): Promise<ScheduleResult> =>
    runSchedule({
      units: some,
      lanes: targets.map(({ target }) => ({
        target: target.id,
        limit: Math.min(exam.settings.get(target.id)?.concurrency ?? target.concurrency ?? options.jobs, options.jobs),
      })),
      jobs: options.jobs,
      retries: options.retries,
      executor,
      budget,
      job: jobOf,
      async answerFromCache(trial) {
        const unit = trial.unit as AskUnit;
        const line = await answers.find(jobOf(trial));
        if (line === undefined) return false;
        await keep(unit, line);
        return true;
      },
      async keep(trial) {
        const unit = trial.unit as AskUnit;
        const last = trial.attempts.at(-1)!;
        const job = jobOf(trial);
        await keep(
          unit,
          askedLine({ target: job.target, ask: job.ask.key, run: job.run }, trial.attempts, await answers.whyAsked(job)),
          last,
        );
        answers.learn(job, last);
      },
      finish,
      stop,
      random: Math.random,
      on(event) {
        progress.schedule(event);
        on({ type: "schedule", event });
        tellProgress();
      },
    });

  try {
    const result = await runPhases(exam, units, doubts, schedule);
    const footer = footerOf(units, result, progress);
    await Promise.allSettled([executor.close(), answers.close()]);
    await record.close(footer);
    const place = { run: record.run, dir: record.dir, file: record.file };
    return { place, footer };
  } catch (error) {
    await Promise.allSettled([executor.close(), answers.close()]);
    await record.abandon().catch(() => {});
    throw error;
  }
}

/** With --escalate the targets that only predict go first, and what they are unsure of goes first to the others. */
async function runPhases(
  exam: PreparedExam,
  units: AskUnit[],
  doubts: Doubts,
  schedule: (units: AskUnit[]) => Promise<ScheduleResult>,
): Promise<ScheduleResult> {
  if (!exam.options.escalate) return schedule(units);
  const predicted = new Set(exam.targets.filter(({ target }) => target.predicted).map(({ target }) => target.id));
  const first = await schedule(units.filter((unit) => predicted.has(unit.target)));
  const rest = units.filter((unit) => !predicted.has(unit.target));
  if (first.interrupted) return first;
  doubts.rank(rest);
  const second = await schedule(rest);
  return { interrupted: second.interrupted, unasked: new Map([...first.unasked, ...second.unasked]) };
}

function makeJob(unit: AskUnit, run: number, exam: PreparedExam): Job {
  const { options, settings } = exam;
  const own = settings.get(unit.target)?.timeout_seconds;
  const seconds = unit.ask.limits.timeoutSeconds;
  return {
    key: `${unit.target} ${unit.ask.key} ${run}`,
    target: unit.target,
    ask: unit.ask,
    run,
    questions: unit.checks,
    timeoutMs: seconds !== undefined ? seconds * 1000 : own !== undefined ? own * 1000 : options.timeoutMs,
    evidence: options.evidence,
  };
}

function footerOf(units: readonly AskUnit[], { interrupted, unasked }: ScheduleResult, progress: Progress): FooterLine {
  const notAsked: Record<string, number> = {};
  for (const unit of units) {
    if (unit.needed() === 0) continue;
    const reason = unasked.get(unit.target) ?? "interrupted";
    notAsked[reason] = (notAsked[reason] ?? 0) + unit.planned - unit.done;
  }
  const how = interrupted ? "interrupted" : unasked.size > 0 ? "stopped" : "complete";
  return { type: "footer", endedAt: new Date().toISOString(), how, notAsked, saved: progress.saved };
}
