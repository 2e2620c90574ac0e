import { RECORD_VERSION, type TrialLine } from "../../../model/index.ts";
import { askId, type Exam, type PlannedAsk } from "../../plan/index.ts";
import type { HeaderStart } from "../../record/index.ts";
import { createScorer, runsNeeded, type Scorer, type StopRule } from "../../score/index.ts";

/** Errors that are not the question's fault. A resumed run asks these trials again. */
const PASSES_LATER = new Set([
  "auth",
  "rate_limit",
  "overloaded",
  "blocked",
  "invalid_cell",
  "interrupted",
  "no_worker",
]);

export class Standings {
  readonly #scorer: Scorer;
  readonly #rule: StopRule;
  readonly #compares: boolean;
  readonly #runs: Map<PlannedAsk, AskRuns>;
  #byId: Map<string, PlannedAsk> | undefined;

  constructor({ plan, options }: Exam, header: HeaderStart) {
    this.#rule = options;
    this.#compares = options.baseline !== undefined;
    this.#scorer = createScorer();
    this.#scorer.add({ ...header, type: "header", version: RECORD_VERSION, run: "" });
    for (const question of plan.questions) this.#scorer.add(question);
    this.#runs = new Map(plan.asks.map((ask) => [ask, { done: 0, run: 0 }]));
  }

  askOf({ target, ask }: TrialLine): PlannedAsk | undefined {
    this.#byId ??= new Map([...this.#runs.keys()].map((one) => [askId(one), one]));
    return this.#byId.get(`${target} ${ask}`);
  }

  /**
   * Number of further runs that are certainly needed; 0 is final. Call only while no run of the ask is waiting or under
   * way.
   */
  needed(ask: PlannedAsk): number {
    // Cases and their baselines are asked equally often.
    const rule = this.#compares && ask.ask.kind === "case" ? { ...this.#rule, earlyStop: false } : this.#rule;
    return runsNeeded(
      this.#scorer.standings(ask.target, ask.ask.key),
      (planned) => doneOf(this.#of(ask), planned),
      rule,
    );
  }

  verdicts(ask: PlannedAsk): ReturnType<Scorer["verdicts"]> {
    return this.#scorer.verdicts(ask.target, ask.ask.key);
  }

  done(ask: PlannedAsk): number {
    return this.#of(ask).done;
  }

  nextRun(ask: PlannedAsk): number {
    const runs = this.#of(ask);
    do runs.run++;
    while (runs.stored?.has(runs.run));
    return runs.run;
  }

  add(ask: PlannedAsk, trial: TrialLine): void {
    this.#of(ask).done++;
    this.#scorer.add(trial);
  }

  /** Counts a trial of an earlier part of this run. Returns false if it is a duplicate or will be asked again. */
  addStored(ask: PlannedAsk, trial: TrialLine): boolean {
    const runs = this.#of(ask);
    if (trial.error !== undefined && PASSES_LATER.has(trial.error.reason)) {
      runs.failed = true;
      return false;
    }
    runs.stored ??= new Set();
    if (runs.stored.has(trial.run)) return false;
    runs.stored.add(trial.run);
    this.add(ask, trial);
    return true;
  }

  failedBefore(ask: PlannedAsk): boolean {
    return this.#of(ask).failed === true;
  }

  #of(ask: PlannedAsk): AskRuns {
    const runs = this.#runs.get(ask);
    if (runs === undefined) throw new Error(`${askId(ask)} is not in the plan`);
    return runs;
  }
}

/** Number of the first `planned` runs that are recorded. Earlier parts of the run may have left gaps. */
function doneOf({ done, run, stored }: AskRuns, planned: number): number {
  if (stored === undefined) return Math.min(done, planned);
  return Math.min(run, planned) + [...stored].filter((one) => one > run && one <= planned).length;
}

/** `done`: recorded runs. `run`: the last run begun. `stored`: runs recorded by earlier parts of the run. */
interface AskRuns {
  done: number;
  run: number;
  stored?: Set<number>;
  failed?: boolean;
}
