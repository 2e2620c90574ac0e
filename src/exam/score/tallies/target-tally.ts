import {
  type Activation,
  type CheckResult,
  type Confusion,
  countedActivations,
  ERROR,
  type HeaderLine,
  NONE,
  type QuestionLine,
  type TrialLine,
  UNSURE,
} from "../../../model/index.ts";
import {
  type AskTallies,
  type AskTally,
  addQuestion,
  askOf,
  expectedOf,
  noteSteals,
  noteWinner,
  statesOf,
  takesIn,
} from "./ask-tally.ts";
import { addTrial, type EvidenceReading, has, type QuestionTally, RUN } from "./question-tally.ts";
import { TrialStatsTally } from "./trial-stats.ts";

/** Everything kept of one target's trials. It grows with questions, not with trials. */
export class TargetTally {
  readonly target: HeaderLine["targets"][number];
  readonly asks: AskTallies = new Map();
  readonly stats: TrialStatsTally;
  readonly #cells = new Map<string, Confusion["cells"][number]>();
  readonly #later = new PairCounts();
  #isUsual = true;

  constructor(target: HeaderLine["targets"][number]) {
    this.target = target;
    this.stats = new TrialStatsTally(target.kind);
  }

  addQuestion(line: QuestionLine): void {
    if (line.baseline !== undefined || line.asks?.[this.target.id] !== undefined) this.#isUsual = false;
    addQuestion(this.asks, line, this.target.id);
  }

  /** True if the target is asked exactly the suite's questions, unchanged. */
  get isUsual(): boolean {
    return this.#isUsual;
  }

  add(trial: TrialLine, evidence: EvidenceReading): void {
    this.stats.add(trial);
    const ask = askOf(this.asks, trial.ask);
    if (!takesIn(ask, trial)) return;
    const counted = trial.activations.length === 0 ? [] : countedActivations(trial.activations, evidence.rule);
    let wrong = false;
    let open = false;
    const checks = checksByQuestion(trial);
    for (const question of ask.questions) {
      if (question.line.skipped[trial.target] !== undefined) continue;
      const passed = addTrial(question, trial, { checks, counted, evidence });
      if (passed === false) wrong = true;
      if (question.unsure !== undefined) open = true;
    }
    noteWinner(ask, counted);
    const expected = expectedOf(ask);
    if (expected === null) return;
    // If the target cannot tell, it is unknown whether the expected skill stays silent.
    if (!open) noteSteals(ask, counted);
    this.#addCells(expected, firedIn(counted, open), wrong);
  }

  /** The matrix cell of an added trial; null for cases, which are not in the matrix. */
  cellOf(trial: TrialLine, { rule }: EvidenceReading): Pick<Confusion["cells"][number], "expected" | "fired"> | null {
    const ask = this.asks.get(trial.ask);
    const expected = ask === undefined ? null : expectedOf(ask);
    if (ask === undefined || expected === null) return null;
    if (trial.error !== undefined) return { expected, fired: ERROR };
    const open = ask.questions.some(
      ({ line, unsure }) => unsure !== undefined && line.skipped[trial.target] === undefined,
    );
    const [fired = NONE] = firedIn(countedActivations(trial.activations, rule), open);
    return { expected, fired };
  }

  confusion(): Confusion {
    const cells = [...this.#cells.values(), ...this.#errorCells()];
    return { cells: cells.sort(byTrials), later: this.#later.list().sort(byTrials) };
  }

  #addCells(expected: string, [first = NONE, ...rest]: string[], wrong: boolean): void {
    const cell = cellIn(this.#cells, expected, first);
    cell.trials++;
    if (wrong) cell.wrong++;
    for (const fired of rest) this.#later.add(expected, fired);
  }

  #errorCells(): Confusion["cells"] {
    const cells = new Map<string, Confusion["cells"][number]>();
    for (const ask of this.asks.values()) {
      const expected = expectedOf(ask);
      if (expected === null) continue;
      const { errors } = statesOf(ask);
      if (errors.length > 0) cellIn(cells, expected, ERROR).trials += errors.length;
    }
    return [...cells.values()];
  }
}

function firedIn(counted: readonly Activation[], open: boolean): string[] {
  if (counted.length === 0) return open ? [UNSURE] : [];
  return counted.length < 2 ? counted.map(({ skill }) => skill) : [...new Set(counted.map(({ skill }) => skill))];
}

/** Counts pairs of names. A large library may have half a million, so names are stored once and pairs as numbers. */
class PairCounts {
  readonly #numbers = new Map<string, number>();
  readonly #names: string[] = [];
  readonly #counts = new Map<number, Map<number, number>>();

  add(expected: string, fired: string): void {
    const row = this.#numberOf(expected);
    const column = this.#numberOf(fired);
    const counts = this.#counts.get(row) ?? new Map<number, number>();
    this.#counts.set(row, counts.set(column, (counts.get(column) ?? 0) + 1));
  }

  list(): Confusion["later"] {
    // `!`: every number has its name.
    return [...this.#counts].flatMap(([row, counts]) =>
      Array.from(counts, ([column, trials]) => ({ expected: this.#names[row]!, fired: this.#names[column]!, trials })),
    );
  }

  #numberOf(name: string): number {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    this.#numbers.set(name, this.#names.length);
    return this.#names.push(name) - 1;
  }
}

function checksByQuestion({ checks }: TrialLine): (question: string) => readonly CheckResult[] {
  if (checks.length <= FEW) return (question) => checksOf(checks, question);
  const found = new Map<string, CheckResult[]>();
  for (const check of checks) {
    const known = found.get(check.question);
    if (known === undefined) found.set(check.question, [check]);
    else known.push(check);
  }
  return (question) => found.get(question) ?? [];
}

/** Up to this many checks a linear search is faster than a table. There may be thousands. */
const FEW = 4;

function checksOf(checks: readonly CheckResult[], question: string): readonly CheckResult[] {
  return checks.length === 1 && checks[0]?.question === question
    ? checks
    : checks.filter((check) => check.question === question);
}

type ConfusionCell = Confusion["cells"][number];

function cellIn(cells: Map<string, ConfusionCell>, expected: string, fired: string): ConfusionCell {
  const key = `${expected}\0${fired}`;
  let cell = cells.get(key);
  if (cell === undefined) {
    cell = { expected, fired, trials: 0, wrong: 0 };
    cells.set(key, cell);
  }
  return cell;
}

function byTrials(
  a: { expected: string; fired: string; trials: number },
  b: { expected: string; fired: string; trials: number },
): number {
  return b.trials - a.trials || (a.expected + a.fired < b.expected + b.fired ? -1 : 1);
}

/**
 * One character per run of a question: `+` right, `-` wrong, `?` measured without a verdict, `!` an error, `.` not
 * asked. Keyed by question id, counted as for its verdict.
 */
export function runOutcomes({ asks, target }: TargetTally): Map<string, string> {
  const outcomes = new Map<string, string>();
  for (const ask of asks.values())
    for (const question of ask.questions)
      if (question.line.skipped[target.id] === undefined)
        outcomes.set(question.line.id, outcomesOf(question, ask, target.id));
  return outcomes;
}

function outcomesOf({ runs, line }: QuestionTally, { states = [] }: AskTally, target: string): string {
  const length = line.runs[target] ?? Math.max(runs.length, states.length);
  let text = "";
  for (let at = 0; at < length; at++) {
    const [run, state] = [runs[at], states[at]];
    text +=
      run !== undefined
        ? has(run, RUN.passed)
          ? "+"
          : "-"
        : state === undefined
          ? "."
          : state === "measured"
            ? "?"
            : "!";
  }
  return text;
}
