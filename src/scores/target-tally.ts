import type { HeaderLine, TrialLine } from "../records/index.ts";
import { type AskTally, noteSteals, statesOf, takesIn } from "./ask-tally.ts";
import type { AskedAsk, Asks } from "./asks.ts";
import type { ResolvedScoreOptions } from "./options.ts";
import { addReading, type QuestionTally } from "./question-tally.ts";
import { countedIn, readTrial } from "./read-trial.ts";
import { type Confusion, ERROR, NONE } from "./scores.ts";
import { TrialStatsTally } from "./trial-stats.ts";

/** Everything kept of one target's trials: it grows with questions, not with trials. */
export class TargetTally {
  readonly target: HeaderLine["targets"][number];
  readonly asks = new Map<string, AskTally>();
  readonly questions = new Map<string, QuestionTally>();
  readonly stats: TrialStatsTally;
  readonly #cells = new Map<string, Confusion["cells"][number]>();
  readonly #later = new Map<string, Confusion["later"][number]>();

  constructor(target: HeaderLine["targets"][number]) {
    this.target = target;
    this.stats = new TrialStatsTally(target.kind);
  }

  add(trial: TrialLine, ask: AskedAsk | undefined, { evidence }: ResolvedScoreOptions, regrade: boolean): void {
    this.stats.add(trial);
    let tally = this.asks.get(trial.ask);
    if (tally === undefined) {
      tally = { states: sized(Math.max(0, ...(ask?.questions ?? []).map(({ line }) => line.runs[trial.target] ?? 0))) };
      this.asks.set(trial.ask, tally);
    }
    if (!takesIn(tally, trial) || ask === undefined) return;

    const counted = countedIn(trial, evidence);
    let wrong = false;
    for (const question of ask.questions) {
      if (question.line.skipped[trial.target] !== undefined) continue;
      const reading = readTrial(question, trial, counted, { rule: evidence, regrade });
      if (reading === null) continue;
      wrong ||= !reading.passed;
      let kept = this.questions.get(question.line.id);
      if (kept === undefined) {
        kept = { runs: sized(question.line.runs[trial.target] ?? 1) };
        this.questions.set(question.line.id, kept);
      }
      addReading(kept, question, trial, counted, reading);
    }
    if (ask.expected === undefined) return;
    noteSteals(tally, ask, counted);
    this.#addCells(ask.expected, [...new Set(counted.map((activation) => activation.skill))], wrong);
  }

  confusion(asks: Asks): Confusion {
    const cells = [...this.#cells.values(), ...this.#errorCells(asks)];
    return { cells: cells.sort(byTrials), later: [...this.#later.values()].sort(byTrials) };
  }

  #addCells(expected: string, [first = NONE, ...rest]: string[], wrong: boolean): void {
    const cell = entry(this.#cells, expected, first, () => ({ expected, fired: first, trials: 0, wrong: 0 }));
    cell.trials++;
    if (wrong) cell.wrong++;
    for (const fired of rest) entry(this.#later, expected, fired, () => ({ expected, fired, trials: 0 })).trials++;
  }

  #errorCells(asks: Asks): Confusion["cells"] {
    const cells = new Map<string, Confusion["cells"][number]>();
    for (const [key, tally] of this.asks) {
      const expected = asks.get(key)?.expected;
      if (expected === undefined) continue;
      for (const state of statesOf(tally)) {
        if (state !== "measured") entry(cells, expected, ERROR, () => ({ expected, fired: ERROR, trials: 0, wrong: 0 })).trials++;
      }
    }
    return [...cells.values()];
  }
}

/** An array that grows by pushing reserves room for 17; there are as many arrays as questions. */
function sized(runs: number): number[] {
  return new Array<number>(Math.min(runs, 100));
}

function entry<T>(map: Map<string, T>, expected: string, fired: string, create: () => T): T {
  const key = `${expected}\0${fired}`;
  let value = map.get(key);
  if (value === undefined) {
    value = create();
    map.set(key, value);
  }
  return value;
}

function byTrials(a: { expected: string; fired: string; trials: number }, b: { expected: string; fired: string; trials: number }): number {
  return b.trials - a.trials || (a.expected + a.fired < b.expected + b.fired ? -1 : 1);
}
