import { UsageError } from "../../../base/index.ts";
import type { Target } from "../../../targets/index.ts";
import { concurrencyOf, type Estimate, type Exam, estimate } from "../../plan/index.ts";
import { type HeaderStart, type RecordPlace, readRecord } from "../../record/index.ts";
import type { CachedAnswers } from "../lines/cached-answers.ts";
import { Standings } from "../schedule/standings.ts";
import { jobOf } from "../trial.ts";

interface KeysRequest {
  exam: Exam;
  header: HeaderStart;
  resume: RecordPlace | undefined;
  answers: CachedAnswers;
}

/**
 * Refuses the run if a target lacks something, such as a key, and one of its answers is neither recorded nor cached.
 */
export async function requireKeys(request: KeysRequest): Promise<void> {
  for (const { target } of request.exam.targets) {
    const missing = await target.missing?.();
    if (missing === undefined || (await areAllKept(target.id, request))) continue;
    throw new UsageError(`${target.id}: ${missing}`, "-t embedded needs nothing: it predicts the triggers offline.");
  }
}

async function standingsOf({ exam, header, resume }: KeysRequest): Promise<Standings> {
  const standings = new Standings(exam, header);
  if (resume === undefined) return standings;
  for await (const line of readRecord(resume.file)) {
    const ask = line.type === "trial" ? standings.askOf(line) : undefined;
    if (line.type === "trial" && ask !== undefined) standings.addStored(ask, line);
  }
  return standings;
}

async function areAllKept(target: string, request: KeysRequest): Promise<boolean> {
  const { exam, answers } = request;
  const standings = await standingsOf(request);
  for (const ask of exam.plan.asks) {
    if (ask.target !== target) continue;
    while (standings.needed(ask) > 0) {
      const kept = await answers.find(jobOf({ ask, run: standings.nextRun(ask) }, exam));
      if (kept === undefined) return false;
      standings.add(ask, kept.line);
    }
  }
  return true;
}

const NOT_KNOWN_MS = 30 * 60_000;

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

/** Estimated from earlier trials. Otherwise half an hour, or less if trials that all time out would end sooner. */
function lengthOf({ ms, trials }: Estimate, exam: Exam, target: Target): number {
  if (ms !== null) return ms.most;
  return Math.min(NOT_KNOWN_MS, Math.ceil(trials.most / concurrencyOf(exam, target)) * exam.options.timeoutMs);
}

function minutes(ms: number): string {
  return `${Math.max(0, Math.round(ms / 60_000))} min`;
}
