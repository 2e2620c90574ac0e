import { hit } from "../graders/index.ts";
import type { ExamOptions } from "../options/index.ts";
import type { TrialLine } from "../records/index.ts";
import type { Ask } from "../suites/index.ts";
import type { Plan, PlannedAsk, PlannedTarget } from "./plan.ts";
import type { QuestionCheck } from "./question-check.ts";
import { runsNeeded, type Standing, type StopRule } from "./runs-needed.ts";

/** Errors of the surroundings, not of the question: a resumed run asks again. */
const PASSES_LATER = new Set(["auth", "rate_limit", "overloaded", "blocked", "invalid_cell", "interrupted"]);

/** An ask on a target, and how the questions on it stand. */
export class AskUnit {
  readonly target: string;
  readonly group: string;
  readonly ask: Ask;
  readonly checks: QuestionCheck[];
  priority = 0;
  /** Trials that are in the record, errors included. */
  done = 0;
  readonly #standings: (Standing & { positive: boolean })[];
  readonly #rule: StopRule;
  #known: Set<number> | undefined;
  #run = 0;

  constructor(target: string, ask: Ask, questions: PlannedAsk["questions"], options: ExamOptions) {
    this.target = target;
    this.ask = ask;
    this.group = questions[0]!.line.skill ?? "";
    this.checks = questions.map((question) => question.check);
    this.#rule = options;
    this.#standings = questions.map(({ line }) => ({
      positive: line.positive,
      planned: line.runs[target]!,
      threshold: line.positive ? options.threshold : options.negativeThreshold,
      hits: 0,
      measured: 0,
    }));
  }

  get planned(): number {
    return this.#standings.reduce((most, standing) => Math.max(most, standing.planned), 0);
  }

  needed(): number {
    return runsNeeded(this.#standings, this.done, this.#rule);
  }

  nextRun(): number {
    do this.#run++;
    while (this.#known?.has(this.#run));
    return this.#run;
  }

  /** Counts a trial that is in the record. */
  count(trial: TrialLine): void {
    this.done++;
    for (const [index, standing] of this.#standings.entries()) {
      const id = this.checks[index]!.id;
      const check = trial.checks[index]?.question === id ? trial.checks[index] : trial.checks.find((one) => one.question === id);
      const outcome = hit(standing.positive, check?.passed ?? null);
      if (outcome === null) continue;
      standing.measured++;
      if (outcome) standing.hits++;
    }
  }

  /** Counts a trial of an earlier part of this run, which will not be asked again. False when it is not counted, or was already. */
  countKnown(trial: TrialLine): boolean {
    if (trial.error !== undefined && PASSES_LATER.has(trial.error.reason)) return false;
    this.#known ??= new Set();
    if (this.#known.has(trial.run)) return false;
    this.#known.add(trial.run);
    this.count(trial);
    return true;
  }
}

/** Every ask on every target that can answer at least one question on it. */
export function makeUnits(plan: Plan, targets: readonly PlannedTarget[], options: ExamOptions): AskUnit[] {
  return targets.flatMap(({ target }) =>
    (target.perSkill ? plan.skillAsks : plan.asks).flatMap(({ ask, questions }) => {
      const asked = questions.filter(({ line }) => (line.runs[target.id] ?? 0) > 0);
      return asked.length === 0 ? [] : [new AskUnit(target.id, ask, asked, options)];
    }),
  );
}
