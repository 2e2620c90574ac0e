import { RECORD_VERSION, type TrialLine } from "../../../model/index.ts";
import { askId, type Exam, type PlannedAsk, runsNeeded, type StopRule } from "../../plan/index.ts";
import type { HeaderStart } from "../../record/index.ts";
import { createScorer, type Scorer } from "../../score/index.ts";

/** Errors of the surroundings, not of the question: a resumed run asks again. */
const PASSES_LATER = new Set([
  "auth",
  "rate_limit",
  "overloaded",
  "blocked",
  "invalid_cell",
  "interrupted",
  "no_worker",
]);

/** How the asks of a run stand: which runs are in the record, and how many more are needed. What they mean is for the scorer to say. */
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

  /** The ask that a trial in the record is of. */
  askOf({ target, ask }: TrialLine): PlannedAsk | undefined {
    this.#byId ??= new Map([...this.#runs.keys()].map((one) => [askId(one), one]));
    return this.#byId.get(`${target} ${ask}`);
  }

  /** How many further runs are certainly needed; 0 = none, for good. Asked when no run of the ask is waiting or under way. */
  needed(ask: PlannedAsk): number {
    // What is compared is asked equally often on both sides.
    const rule = this.#compares && ask.ask.kind === "case" ? { ...this.#rule, earlyStop: false } : this.#rule;
    return runsNeeded(
      this.#scorer.standings(ask.target, ask.ask.key),
      (planned) => doneOf(this.#of(ask), planned),
      rule,
    );
  }

  /** How its questions have come out, as far as it was asked. */
  verdicts(ask: PlannedAsk): ReturnType<Scorer["verdicts"]> {
    return this.#scorer.verdicts(ask.target, ask.ask.key);
  }

  /** Trials that are in the record, errors included. */
  done(ask: PlannedAsk): number {
    return this.#of(ask).done;
  }

  /** The next run to make; each call advances by one. */
  nextRun(ask: PlannedAsk): number {
    const runs = this.#of(ask);
    do runs.run++;
    while (runs.stored?.has(runs.run));
    return runs.run;
  }

  /** Counts a trial that is in the record. */
  add(ask: PlannedAsk, trial: TrialLine): void {
    this.#of(ask).done++;
    this.#scorer.add(trial);
  }

  /** Counts a trial of an earlier part of this run, which will not be asked again. False when it is not counted, or was already. */
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

  /** A trial of it was an error in an earlier part of this run, and is asked again: after what was not asked yet. */
  failedBefore(ask: PlannedAsk): boolean {
    return this.#of(ask).failed === true;
  }

  #of(ask: PlannedAsk): AskRuns {
    const runs = this.#runs.get(ask);
    if (runs === undefined) throw new Error(`${askId(ask)} is not in the plan`);
    return runs;
  }
}

/** How many of the first so many runs are in the record. Of an earlier part of the run some may be missing between others. */
function doneOf({ done, run, stored }: AskRuns, planned: number): number {
  if (stored === undefined) return Math.min(done, planned);
  return Math.min(run, planned) + [...stored].filter((one) => one > run && one <= planned).length;
}

/** The runs of one ask: how many are in the record, the last that was begun, and those of an earlier part of the run. */
interface AskRuns {
  done: number;
  run: number;
  stored?: Set<number>;
  failed?: boolean;
}
