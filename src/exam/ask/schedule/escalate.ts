import type { TrialLine } from "../../../model/index.ts";
import type { PlannedAsk, PreparedExam } from "../../plan/index.ts";
import type { ScheduleOptions, ScheduleResult } from "./schedule.ts";

/** Remembers which asks a predicting target was unsure of, so that a costly one is asked about them first. */
export class UnsureAsks {
  readonly #asks = new Set<string>();

  note({ ask, prediction, checks }: TrialLine): void {
    if (prediction !== undefined && checks.some(({ passed }) => passed === null)) this.#asks.add(ask);
  }

  has({ ask }: PlannedAsk): boolean {
    return this.#asks.has(ask.key);
  }
}

/** With --escalate the targets that only predict go first, and what they are unsure of goes first to the others. */
export async function runPhases(
  { options, targets, plan }: PreparedExam,
  unsure: UnsureAsks,
  schedule: (asks: PlannedAsk[], first?: ScheduleOptions["first"]) => Promise<ScheduleResult>,
): Promise<ScheduleResult> {
  if (!options.escalate) return schedule(plan.asks);
  const predicted = new Set(targets.filter(({ target }) => target.predicted).map(({ target }) => target.id));
  const first = await schedule(plan.asks.filter(({ target }) => predicted.has(target)));
  if (first.interrupted) return first;
  const rest = plan.asks.filter(({ target }) => !predicted.has(target));
  const second = await schedule(rest, (ask) => unsure.has(ask));
  return { interrupted: second.interrupted, unasked: new Map([...first.unasked, ...second.unasked]) };
}
