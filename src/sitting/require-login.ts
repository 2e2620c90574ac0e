import { UsageError } from "../base/index.ts";
import type { PreparedExam } from "../plan/index.ts";
import { type Estimate, estimate } from "../plan/index.ts";

/** What a run is taken for when no earlier one tells how long its trials are. */
const NOT_KNOWN_MS = 30 * 60_000;

/** Refuses a run that would outlast the login of one of its targets, before anything is asked. */
export async function refuseOutlasted(exam: PreparedExam, now = Date.now()): Promise<void> {
  if (exam.targets.every(({ target }) => target.lasts === undefined)) return;
  const estimates = new Map((await estimate(exam)).map((one) => [one.target, one]));
  for (const { target } of exam.targets) {
    if (target.lasts === undefined) continue;
    const ms = lengthOf(estimates.get(target.id)!, exam);
    if (now + ms <= target.lasts.until) continue;
    throw new UsageError(
      `The login of ${target.id} expires within the run: it has ${minutes(target.lasts.until - now)} left, and the run takes about ${minutes(ms)}.`,
      `${target.lasts.advice} Or ask less: --skill, --grep, --runs, --shard.`,
    );
  }
}

/** As earlier trials were; else half an hour, or less where even trials that all reach their time limit take less. */
function lengthOf({ ms, trials, target }: Estimate, { options, settings, targets }: PreparedExam): number {
  if (ms !== null) return ms.most;
  const allowed = targets.find((one) => one.target.id === target)!.target.concurrency ?? options.jobs;
  const lanes = Math.min(settings.get(target)?.concurrency ?? allowed, options.jobs);
  return Math.min(NOT_KNOWN_MS, Math.ceil(trials.most / lanes) * options.timeoutMs);
}

function minutes(ms: number): string {
  return `${Math.max(0, Math.round(ms / 60_000))} min`;
}
