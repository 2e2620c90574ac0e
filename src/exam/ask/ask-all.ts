import type { TrialLine } from "../../model/index.ts";
import type { Target } from "../../targets/index.ts";
import type { Executor, JobResult, Judges } from "../grade/index.ts";
import { concurrencyOf, type Exam, judgementsOf, type PlannedAsk } from "../plan/index.ts";
import type { CachedAnswer, RecordWriter } from "../record/index.ts";
import type { Counters } from "./limits/counters.ts";
import type { CachedAnswers } from "./lines/cached-answers.ts";
import { askedLine, cachedLine, worthKeeping } from "./lines/trial-line.ts";
import type { RunRequest } from "./run-request.ts";
import { runSchedule, type ScheduleResult } from "./schedule/schedule.ts";
import type { LimitedTarget } from "./schedule/target-queue.ts";
import { jobOf } from "./trial.ts";

interface OpenExam extends Required<Pick<RunRequest, "finish" | "stop" | "on">> {
  exam: Exam;
  executor: Executor;
  record: RecordWriter;
  answers: CachedAnswers;
  judges: Judges | undefined;
  counters: Counters;
}

/** Makes every planned trial that is not known yet. A trial is written to the record before it is counted. */
export function askAll(open: OpenExam): Promise<ScheduleResult> {
  const { exam, executor, answers, judges, counters, finish, stop, on } = open;
  const { budget, standings, progress } = counters;
  const tellProgress = () =>
    on({ type: "progress", snapshot: { ...progress.snapshot(), workers: executor.elsewhere?.workers() } });
  executor.elsewhere?.onLook(tellProgress);
  const count = async (ask: PlannedAsk, line: TrialLine, last?: KeptOutput) => {
    await keepTrial(open.record, line, last);
    standings.add(ask, line);
    const failed = progress.trial(ask, line);
    on({ type: "trial", line });
    for (const question of failed) on({ type: "failed", target: ask.target, question });
    tellProgress();
  };
  return runSchedule({
    asks: exam.plan.asks,
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
      await count(trial.ask, kept.line, ofCase(trial.ask, kept.answer));
      return true;
    },
    async keep({ ask, run, attempts, kept }) {
      const job = jobOf({ ask, run }, exam);
      const last = attempts.at(-1);
      for (const { judgements = [] } of attempts) judges?.learn(judgements);
      if (kept !== undefined && last !== undefined) return count(ask, cachedLine(job, kept, last), ofCase(ask, kept));
      await count(ask, askedLine(job, attempts, await answers.whyAsked(job)), last);
      if (last !== undefined) answers.learn(job, last);
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
}

type KeptOutput = Pick<JobResult, "transcript"> & Pick<Partial<JobResult>, "raw">;

/** A case may be graded again from its transcript. A trigger's line already holds everything. */
function ofCase({ ask }: PlannedAsk, { transcript }: CachedAnswer): KeptOutput | undefined {
  return ask.kind === "case" ? { transcript } : undefined;
}

/** On workers, a target's concurrency defaults to the number of their slots. */
function limited(exam: Exam, target: Target, { elsewhere }: Executor): LimitedTarget {
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

async function keepTrial(record: RecordWriter, line: TrialLine, last: KeptOutput | undefined): Promise<void> {
  const transcript = last !== undefined && worthKeeping(last.transcript) ? last.transcript : undefined;
  await record.trial(line, { transcript, raw: last?.raw });
}
