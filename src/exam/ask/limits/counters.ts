import { UsageError } from "../../../base/index.ts";
import type { Judges } from "../../grade/index.ts";
import { type Exam, type Past, pastTrials } from "../../plan/index.ts";
import type { HeaderStart } from "../../record/index.ts";
import { Progress } from "../progress.ts";
import { Standings } from "../schedule/standings.ts";
import { Budget, dollarsAlone } from "./budget.ts";

export interface Counters {
  budget: Budget;
  standings: Standings;
  progress: Progress;
}

export async function openCounters(exam: Exam, header: HeaderStart, judges?: Judges): Promise<Counters> {
  const budget = await openBudget(exam, judges);
  const standings = new Standings(exam, header);
  return { budget, standings, progress: new Progress(exam, budget, standings) };
}

async function openBudget(exam: Exam, judges?: Pick<Judges, "expectedUsd" | "mostUsd">): Promise<Budget> {
  const { limits } = exam.options;
  const limited = limits.usd !== undefined || limits.tokens !== undefined;
  const ids = new Set(exam.targets.map(({ target }) => target.id));
  const past = limited ? await pastTrials(exam.home, ids) : new Map<string, Past>();
  const budget = new Budget(limits);
  for (const { target } of exam.targets) {
    const said = exam.settings.get(target.id)?.cost_usd;
    const cost = target.costFor?.(exam.library.skills.length);
    const usd = said ?? cost?.expectedUsd ?? target.expectedCostUsd ?? past.get(target.id)?.usd ?? null;
    if (usd === null && !target.reportsCost && dollarsAlone(limits)) {
      throw new UsageError(
        `What a trial on ${target.id} costs is not known, so --budget cannot keep it below $${limits.usd}.`,
        "Add --max-trials or --budget-tokens, or set cost_usd for the target in the configuration.",
      );
    }
    const mostUsd = said === undefined ? (cost?.mostUsd ?? target.mostCostUsd) : undefined;
    budget.expect(target.id, { usd, mostUsd, tokens: past.get(target.id)?.tokens ?? (usd === 0 ? 0 : null) });
  }
  if (judges !== undefined) {
    if (judges.expectedUsd === null && dollarsAlone(limits)) {
      throw new UsageError(
        `What a judgement costs is not known, so --budget cannot keep it below $${limits.usd}.`,
        "Add --max-trials or --budget-tokens, or set the judge's price under prices in the configuration.",
      );
    }
    budget.expectJudge({ usd: judges.expectedUsd, mostUsd: judges.mostUsd ?? undefined, tokens: null });
  }
  return budget;
}
