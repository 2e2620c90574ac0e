import type { Judges } from "../../grade/index.ts";
import type { Exam } from "../../plan/index.ts";
import type { HeaderStart } from "../../record/index.ts";
import { Progress } from "../progress.ts";
import { Standings } from "../schedule/standings.ts";
import type { Budget } from "./budget.ts";
import { openBudget } from "./open-budget.ts";

/** Everything that counts the trials of a run. */
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
