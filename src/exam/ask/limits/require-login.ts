import { UsageError } from "../../../base/index.ts";
import type { Target } from "../../../targets/index.ts";
import { concurrencyOf, type Estimate, type Exam, estimate } from "../../plan/index.ts";

/** How long a run is assumed to take when no earlier one shows how long its trials are. */
const NOT_KNOWN_MS = 30 * 60_000;

/** Refuses a run that would outlast the login of one of its targets, before anything is asked. */
export async function requireLogin(exam: Exam, now = Date.now()): Promise<void> {
  if (exam.targets.every(({ target }) => target.lasts === undefined)) return;
  const estimates = new Map((await estimate(exam)).map((one) => [one.target, one]));
  for (const { target } of exam.targets) {
    const estimated = estimates.get(target.id);
    if (target.lasts === undefined || estimated === undefined) continue;
    const ms = lengthOf(estimated, exam, target);
    if (now + ms <= target.lasts.until) continue;
    throw new UsageError(
      `The login of ${target.id} expires within the run: it has ${minutes(target.lasts.until - now)} left, and the run takes about ${minutes(ms)}.`,
      `${target.lasts.advice} Or ask less: --skill, --grep, --runs, --shard.`,
    );
  }
}

/** As earlier trials were; else half an hour, or less where even trials that all reach their time limit take less. */
function lengthOf({ ms, trials }: Estimate, exam: Exam, target: Target): number {
  if (ms !== null) return ms.most;
  return Math.min(NOT_KNOWN_MS, Math.ceil(trials.most / concurrencyOf(exam, target)) * exam.options.timeoutMs);
}

function minutes(ms: number): string {
  return `${Math.max(0, Math.round(ms / 60_000))} min`;
}
