import type { QuestionScore, TrialLine } from "../../model/index.ts";
import type { WorkerProgress } from "../grade/index.ts";
import type { Exam, PlannedAsk } from "../plan/index.ts";
import type { Budget } from "./limits/budget.ts";
import type { Standings } from "./schedule/standings.ts";
import type { ScheduleEvent } from "./schedule/target-queue.ts";

export interface ProgressSnapshot {
  targets: TargetProgress[];
  budgetUsd?: number;
  cached: number;
  saved: { trials: number; usd?: number };
  workers?: WorkerProgress[];
}

export interface TargetProgress {
  id: string;
  done: number;
  /** Questions whose verdict is final. */
  passed: number;
  failed: number;
  /** Planned trials, minus those that early stop saved. */
  total: number;
  running: number;
  /** Failed trials and retried attempts, by reason. */
  errors: Record<string, number>;
  retries: number;
  /** null = not known. */
  spentUsd: number | null;
}

export class Progress {
  readonly #targets = new Map<string, TargetProgress>();
  readonly #saved = new Map<string, number>();
  readonly #settled = new WeakSet<PlannedAsk>();
  readonly #budget: Budget;
  readonly #standings: Standings;
  readonly #budgetUsd: number | undefined;
  #cached = 0;

  constructor({ plan, options }: Exam, budget: Budget, standings: Standings) {
    this.#budget = budget;
    this.#standings = standings;
    this.#budgetUsd = options.limits.usd;
    for (const { target, runs } of plan.asks) this.#of(target).total += runs;
  }

  /** Counts a recorded trial and returns the questions whose failure it made final. */
  trial(ask: PlannedAsk, line: TrialLine): QuestionScore[] {
    const target = this.#of(ask.target);
    target.done++;
    if (line.cached !== undefined) this.#cached++;
    if (line.error !== undefined) target.errors[line.error.reason] = (target.errors[line.error.reason] ?? 0) + 1;
    if (line.costUsd === undefined) {
      if (line.error === undefined) target.spentUsd = null;
    } else if (target.spentUsd !== null) target.spentUsd += line.costUsd;
    if (this.#standings.needed(ask) > 0) return [];
    const saved = ask.runs - this.#standings.done(ask);
    if (saved > 0) {
      target.total -= saved;
      this.#saved.set(ask.target, (this.#saved.get(ask.target) ?? 0) + saved);
    }
    return this.#settle(ask, target);
  }

  #settle(ask: PlannedAsk, target: TargetProgress): QuestionScore[] {
    if (this.#settled.has(ask)) return [];
    this.#settled.add(ask);
    const { passed, failed } = this.#standings.verdicts(ask);
    target.passed += passed;
    target.failed += failed.length;
    return failed;
  }

  schedule(event: ScheduleEvent): void {
    const target = this.#of(event.target);
    if (event.type === "started") target.running++;
    if (event.type === "ended") target.running--;
    if (event.type === "retry") {
      target.retries++;
      target.errors[event.error.reason] = (target.errors[event.error.reason] ?? 0) + 1;
    }
  }

  /** `usd` is undefined unless the price of every saved trial is known. */
  get saved(): { trials: number; usd?: number } {
    let trials = 0;
    let usd: number | null = 0;
    for (const [target, count] of this.#saved) {
      trials += count;
      const each = this.#budget.expectedUsd(target);
      usd = usd === null || each === null ? null : usd + count * each;
    }
    return { trials, usd: usd !== null && usd > 0 ? usd : undefined };
  }

  snapshot(): ProgressSnapshot {
    return {
      targets: [...this.#targets.values()],
      budgetUsd: this.#budgetUsd,
      cached: this.#cached,
      saved: this.saved,
    };
  }

  #of(id: string): TargetProgress {
    let target = this.#targets.get(id);
    if (target === undefined) {
      target = { id, done: 0, passed: 0, failed: 0, total: 0, running: 0, errors: {}, retries: 0, spentUsd: 0 };
      this.#targets.set(id, target);
    }
    return target;
  }
}
