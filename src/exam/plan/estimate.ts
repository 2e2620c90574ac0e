import { loadModels, type Target } from "../../targets/index.ts";
import { runsNeeded } from "../score/index.ts";
import type { Exam } from "./exam.ts";
import { pastTrials } from "./gather/past-trials.ts";
import { judgementsOf, judgesNamed } from "./judgements.ts";
import { freshStandings, type PlannedAsk } from "./planned-ask.ts";

/** What a run would take on one target, estimated from earlier records if there are any. */
export interface Estimate {
  target: string;
  predicted: boolean;
  asks: number;
  /** `least`: trials that remain if early stop ends every ask as early as possible. */
  trials: { least: number; most: number };
  /** Number of skipped questions by reason. */
  skipped: Record<string, number>;
  /** Null if unknown, like `usd`. */
  ms: { least: number; most: number } | null;
  usd: { least: number; most: number } | null;
  /** The cost is unknown, but the target reports it with the first trial, so a budget in dollars can be kept. */
  firstTells: boolean;
  /** Number of earlier trials behind the estimate. */
  past: number;
  /** Trials that the cache answers. */
  cached: number;
  /** What the target lacks, such as a key. */
  missing?: string | undefined;
}

export async function estimate(exam: Exam, cached: ReadonlyMap<string, number> = new Map()): Promise<Estimate[]> {
  const { targets, plan, options } = exam;
  const past = await pastTrials(exam.home, new Set(targets.map(({ target }) => target.id)));
  const judgementUsd = await judgementCost(exam);
  const estimates = targets.map(async ({ target }): Promise<Estimate> => {
    const mine = plan.asks.filter((ask) => ask.target === target.id);
    const trials = {
      least: mine.reduce((sum, ask) => sum + runsNeeded(freshStandings(ask, options), () => 0, options), 0),
      most: mine.reduce((sum, ask) => sum + ask.runs, 0),
    };
    const kept = Math.min(trials.most, cached.get(target.id) ?? 0);
    const asked = { least: Math.max(0, trials.least - kept), most: trials.most - kept };
    const known = past.get(target.id);
    const atOnce = concurrencyOf(exam, target);
    // The cost of earlier trials includes their judges.
    const said =
      exam.settings.get(target.id)?.cost_usd ??
      target.costFor?.(exam.library.skills.length).expectedUsd ??
      target.expectedCostUsd;
    const judgements = judgementsPerTrial(mine);
    const usd = known?.usd ?? plus(said, judgements, judgementUsd);
    return {
      target: target.id,
      predicted: target.predicted,
      asks: mine.length,
      trials,
      skipped: countSkipped(exam, target.id),
      ms: known?.ms == null ? null : scaled(asked, known.ms / atOnce),
      usd: usd === null ? null : scaled(asked, usd),
      firstTells: usd === null && target.reportsCost === true && (judgements === 0 || judgementUsd !== null),
      past: known?.trials ?? 0,
      cached: kept,
      missing: asked.most === 0 ? undefined : await target.missing?.(),
    };
  });
  return Promise.all(estimates);
}

async function judgementCost(exam: Exam): Promise<number | null> {
  const names = judgesNamed(exam);
  if (names.length === 0) return 0;
  const { judgementCost: costOf } = await loadModels();
  const costs = names.map((name) => costOf(name, exam.models).expectedUsd);
  return costs.reduce<number | null>((most, cost) => (most === null || cost === null ? null : Math.max(most, cost)), 0);
}

function judgementsPerTrial(asks: readonly PlannedAsk[]): number {
  const trials = asks.reduce((sum, ask) => sum + ask.runs, 0);
  return trials === 0 ? 0 : asks.reduce((sum, ask) => sum + ask.runs * judgementsOf(ask), 0) / trials;
}

function plus(trial: number | null, judgements: number, each: number | null): number | null {
  if (trial === null || judgements === 0) return trial;
  return each === null ? null : trial + judgements * each;
}

export function concurrencyOf({ settings, options }: Exam, target: Target): number {
  const jobs = options.jobs * (target.batch ?? 1);
  return Math.min(settings.get(target.id)?.concurrency ?? target.concurrency ?? jobs, jobs);
}

function countSkipped({ plan }: Exam, target: string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { skipped, invalid } of plan.questions) {
    const reason = invalid === undefined ? skipped[target] : "invalid";
    if (reason !== undefined) counts[reason] = (counts[reason] ?? 0) + 1;
  }
  return counts;
}

function scaled({ least, most }: { least: number; most: number }, each: number): { least: number; most: number } {
  return { least: least * each, most: most * each };
}
