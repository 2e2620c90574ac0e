import { type Attempt, addUsage, asksBack, type Transcript, type TrialLine } from "../../../model/index.ts";
import type { Job, JobResult } from "../../grade/index.ts";
import { costOf } from "../trial.ts";

export function askedLine(job: Job, attempts: readonly JobResult[], askedBecause: string | undefined): TrialLine {
  const [first] = attempts;
  const last = attempts.at(-1);
  if (first === undefined || last === undefined) throw new Error("A trial that was asked has at least one attempt");
  const line = startOf(job, first.startedAt, last.transcript);
  line.ms = round(last.ms);
  line.checks = last.checks;
  for (const attempt of attempts) line.attempts.push(attemptOf(attempt));
  const cost = costsOf(attempts);
  if (cost !== undefined) line.costUsd = cost;
  const judged = usedByJudges(attempts.map((attempt) => attempt.judged));
  if (judged !== undefined) line.judged = judged;
  if (last.transcript.costEstimated) line.costEstimated = true;
  if (last.transcript.resources !== undefined) line.resources = last.transcript.resources;
  if (askedBecause !== undefined) line.askedBecause = askedBecause;
  return line;
}

/** A trial answered from the cache took no time and cost only what judges were paid now. */
export function cachedLine(
  job: Job,
  answer: { measuredAt: string; ms: number; transcript: Transcript },
  { checks, judged }: Pick<JobResult, "checks" | "judged">,
): TrialLine {
  const { costUsd } = answer.transcript;
  const line = startOf(job, new Date().toISOString(), answer.transcript);
  line.checks = checks;
  if (!judged?.unpriced) line.costUsd = judged?.usd ?? 0;
  if (judged !== undefined && judged.usd > 0) line.costEstimated = true;
  const used = usedByJudges([judged]);
  if (used !== undefined) line.judged = used;
  line.cached = { measuredAt: answer.measuredAt, savedMs: round(answer.ms), savedUsd: costUsd };
  return line;
}

export function worthKeeping({ texts, calls }: Transcript): boolean {
  return texts.length > 0 || calls.length > 0;
}

/**
 * Members are assigned one by one: objects made by spreading outlived minor collections, and a run has up to 200,000
 * lines.
 */
function startOf({ target, ask: { key: ask }, run }: Job, startedAt: string, transcript: Transcript): TrialLine {
  const { outcome, activations, how, turns, listing, prediction, usage, finalText } = transcript;
  const line: TrialLine = {
    type: "trial",
    target,
    ask,
    run,
    startedAt,
    ms: 0,
    how,
    turns,
    activations,
    checks: [],
    attempts: [],
  };
  if (outcome.status === "error") line.error = outcome.error;
  if (usage !== undefined) line.usage = usage;
  if (listing !== undefined) line.listing = listing;
  if (prediction !== undefined) line.prediction = prediction;
  const reason = target.startsWith("judge:") ? /\bREASON[ \t]*=[ \t]*(.*)$/m.exec(finalText)?.[1]?.trim() : undefined;
  if (reason !== undefined && reason !== "") line.reason = reason.slice(0, MOST_REASON);
  if (activations.length === 0 && finalText !== "" && asksBack(finalText)) line.askedBack = true;
  return line;
}

const MOST_REASON = 300;

function attemptOf(result: JobResult): Attempt {
  const { outcome, usage } = result.transcript;
  const usd = costOf(result);
  const attempt: Attempt = { ms: round(result.ms) };
  if (outcome.status === "error") attempt.error = outcome.error;
  if (usage !== undefined) attempt.usage = usage;
  if (usd !== undefined) attempt.costUsd = usd;
  if (result.worker !== undefined) attempt.worker = result.worker;
  return attempt;
}

/** Sum over all attempts. Unknown if the measured attempt has no cost. */
function costsOf(attempts: readonly JobResult[]): number | undefined {
  const costs = attempts.map(costOf);
  const measured = attempts.at(-1)?.transcript.outcome.status !== "error";
  const known = costs.filter((cost) => cost !== undefined);
  if (known.length === 0 || (measured && costs.at(-1) === undefined)) return undefined;
  return known.reduce((sum, cost) => sum + cost, 0);
}

function usedByJudges(bills: readonly JobResult["judged"][]): TrialLine["judged"] {
  return bills.reduce<TrialLine["judged"]>((sum, bill) => {
    const usage = addUsage(sum?.usage, bill?.usage);
    return usage && { asked: (sum?.asked ?? 0) + (bill?.asked ?? 0), usage };
  }, undefined);
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10;
}
