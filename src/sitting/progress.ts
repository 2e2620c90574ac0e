import type { AskUnit } from "../plan/index.ts";
import type { TrialLine } from "../records/index.ts";
import type { Budget } from "./budget.ts";
import type { ScheduleEvent } from "./schedule.ts";

/** How a run stands, for whoever shows it. */
export interface ProgressSnapshot {
  targets: TargetProgress[];
  budgetUsd?: number;
  cached: number;
  saved: { trials: number; usd?: number };
}

export interface TargetProgress {
  id: string;
  done: number;
  /** What is planned, less what early stop has saved. */
  total: number;
  running: number;
  /** Trials that ended in an error, or attempts that did and are tried again, by reason. */
  errors: Record<string, number>;
  retries: number;
  /** null = not known. */
  spentUsd: number | null;
}

/** Counts what happens in a run. */
export class Progress {
  readonly #targets = new Map<string, TargetProgress>();
  readonly #saved = new Map<string, number>();
  readonly #budget: Budget;
  readonly #budgetUsd: number | undefined;
  #cached = 0;

  constructor(units: Iterable<AskUnit>, budget: Budget, budgetUsd: number | undefined) {
    this.#budget = budget;
    this.#budgetUsd = budgetUsd;
    for (const unit of units) {
      const target = this.#targets.get(unit.target) ?? {
        id: unit.target,
        done: 0,
        total: 0,
        running: 0,
        errors: {},
        retries: 0,
        spentUsd: 0,
      };
      target.total += unit.planned;
      this.#targets.set(unit.target, target);
    }
  }

  /** A trial is in the record and counted. */
  trial(unit: AskUnit, line: TrialLine): void {
    const target = this.#targets.get(unit.target)!;
    target.done++;
    if (line.cached !== undefined) this.#cached++;
    if (line.error !== undefined) target.errors[line.error.reason] = (target.errors[line.error.reason] ?? 0) + 1;
    if (line.costUsd === undefined) {
      if (line.error === undefined) target.spentUsd = null;
    } else if (target.spentUsd !== null) target.spentUsd += line.costUsd;
    if (unit.needed() === 0 && unit.done < unit.planned) {
      const saved = unit.planned - unit.done;
      target.total -= saved;
      this.#saved.set(unit.target, (this.#saved.get(unit.target) ?? 0) + saved);
    }
  }

  schedule(event: ScheduleEvent): void {
    const target = this.#targets.get(event.target)!;
    if (event.type === "started") target.running++;
    if (event.type === "ended") target.running--;
    if (event.type === "retry") {
      target.retries++;
      target.errors[event.error.reason] = (target.errors[event.error.reason] ?? 0) + 1;
    }
  }

  /** What early stop has saved, in dollars only where every saved trial has a known price. */
  get saved(): { trials: number; usd?: number } {
    let trials = 0;
    let usd: number | null = 0;
    for (const [target, count] of this.#saved) {
      trials += count;
      const each = this.#budget.expectedUsd(target);
      usd = usd === null || each === null ? null : usd + count * each;
    }
    return { trials, ...(usd !== null && usd > 0 && { usd }) };
  }

  snapshot(): ProgressSnapshot {
    return {
      targets: [...this.#targets.values()],
      ...(this.#budgetUsd !== undefined && { budgetUsd: this.#budgetUsd }),
      cached: this.#cached,
      saved: this.saved,
    };
  }
}
