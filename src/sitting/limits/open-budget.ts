import { UsageError } from "../../base/index.ts";
import type { PreparedExam } from "../../plan/index.ts";
import { type Past, pastTrials } from "../../plan/index.ts";
import { Budget } from "./budget.ts";

/** The run's limits, and what a trial on each target is expected to take of them. */
export async function openBudget(exam: PreparedExam): Promise<Budget> {
  const { limits } = exam.options;
  const limited = limits.usd !== undefined || limits.tokens !== undefined;
  const ids = new Set(exam.targets.map(({ target }) => target.id));
  const past = limited ? await pastTrials(exam.home, ids) : new Map<string, Past>();
  const budget = new Budget(limits);
  for (const { target } of exam.targets) {
    const usd = exam.settings.get(target.id)?.cost_usd ?? target.expectedCostUsd ?? past.get(target.id)?.usd ?? null;
    if (usd === null && limits.usd !== undefined && limits.tokens === undefined && limits.trials === undefined) {
      throw new UsageError(
        `What a trial on ${target.id} costs is not known, so --budget cannot keep it below $${limits.usd}.`,
        "Add --max-trials or --budget-tokens, or set cost_usd for the target in the configuration.",
      );
    }
    budget.expect(target.id, { usd, tokens: past.get(target.id)?.tokens ?? (usd === 0 ? 0 : null) });
  }
  return budget;
}
