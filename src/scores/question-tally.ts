import type { TrialLine } from "../records/index.ts";
import type { Activation, Evidence } from "../transcripts/index.ts";
import type { Asked } from "./asks.ts";
import { missingSkills, type Reading, shownOf } from "./read-trial.ts";
import type { Cause } from "./scores.ts";

/** What is kept of a question on a target: a number per run, and one trial's evidence once something went wrong. */
export interface QuestionTally {
  /** Bits by run − 1; holes where nothing was measured. */
  runs: number[];
  causes?: Partial<Record<Cause, number>>;
  fired?: { skill: string; trials: number; turn: number; evidence: Evidence }[];
  sample?: Sample;
}

/** Of the first run that went wrong. */
export interface Sample {
  run: number;
  message: string;
  missing: string[];
  shown?: "absent" | "bare";
  prediction?: {
    needs: number;
    best?: RankedSkill;
    fired?: RankedSkill;
    /** The one that should have fired, or should win. */
    expected?: RankedSkill;
  };
}

interface RankedSkill {
  skill: string;
  score: number;
  words: string[];
}

const PASSED = 1;
const MISFIRED = 2;
const FIRST_PASSED = 4;
const FIRST_MISFIRED = 8;

export function addReading(tally: QuestionTally, question: Asked, trial: TrialLine, counted: Activation[], reading: Reading): void {
  const bits =
    (reading.passed ? PASSED : 0) |
    (reading.misfired ? MISFIRED : 0) |
    (reading.firstMovePassed === true ? FIRST_PASSED : 0) |
    (reading.firstMoveMisfired ? FIRST_MISFIRED : 0);
  tally.runs[trial.run - 1] = bits;
  if (reading.cause === undefined) return;

  tally.causes ??= {};
  tally.causes[reading.cause] = (tally.causes[reading.cause] ?? 0) + 1;
  for (const { skill, turn, evidence } of firstOfEach(atFault(question, counted))) {
    const known = tally.fired?.find((seen) => seen.skill === skill);
    if (known === undefined) tally.fired = [...(tally.fired ?? []), { skill, trials: 1, turn, evidence }];
    else {
      known.trials++;
      if (turn < known.turn) Object.assign(known, { turn, evidence });
    }
  }
  if (tally.sample === undefined || trial.run < tally.sample.run) tally.sample = sampleOf(question, trial, counted, reading);
}

/** Of a negative, the skills that must not fire; of a positive, those that fired instead of the required ones, or beside them. */
function atFault({ line: { expect, positive } }: Asked, counted: Activation[]): Activation[] {
  if (expect === undefined) return counted;
  const { required_skills: required, forbidden_skills: forbidden, also_fine: fine, allow_extra } = expect;
  if (positive) return counted.filter(({ skill }) => !required.includes(skill) && !fine.includes(skill));
  return counted.filter(({ skill }) => forbidden.includes(skill) || (!allow_extra && !fine.includes(skill)));
}

export interface Run {
  passed: boolean;
  misfired: boolean;
  firstMovePassed: boolean;
  firstMoveMisfired: boolean;
}

/** The measured runs, by number, whatever the order they ended in. */
export function measuredRuns(tally: QuestionTally | undefined): Run[] {
  const runs: Run[] = [];
  for (const index in tally?.runs) {
    const bits = tally.runs[Number(index)]!;
    runs.push({
      passed: (bits & PASSED) !== 0,
      misfired: (bits & MISFIRED) !== 0,
      firstMovePassed: (bits & FIRST_PASSED) !== 0,
      firstMoveMisfired: (bits & FIRST_MISFIRED) !== 0,
    });
  }
  return runs;
}

function firstOfEach(counted: Activation[]): Activation[] {
  return counted.filter((activation, index) => counted.findIndex((other) => other.skill === activation.skill) === index);
}

function sampleOf({ line, skill }: Asked, trial: TrialLine, counted: Activation[], reading: Reading): Sample {
  const missing = missingSkills(line.expect, counted);
  const shown =
    reading.cause === "not_shown"
      ? missing.map((name) => shownOf(trial, name)).find((how) => how === "absent" || how === "bare")
      : undefined;
  const sample: Sample = {
    run: trial.run,
    message: reading.message,
    missing,
    ...(shown === "absent" || shown === "bare" ? { shown } : {}),
  };
  if (trial.prediction === undefined) return sample;

  const ranked = (name: string | undefined) => trial.prediction!.ranking.find((entry) => entry.skill === name);
  const expected = missing[0] ?? line.expect?.required_skills[0];
  const fired = counted.find((activation) => activation.skill === skill)?.skill ?? counted[0]?.skill;
  // A prediction that does not rank what fired explains nothing; the activations do.
  if (fired !== undefined && ranked(fired) === undefined) return sample;
  const best = trial.prediction.ranking[0];
  const keep = (entry: RankedSkill | undefined, as: "best" | "fired" | "expected") =>
    entry === undefined ? {} : { [as]: { skill: entry.skill, score: entry.score, words: entry.words.slice(0, 6) } };
  sample.prediction = {
    needs: trial.prediction.needs,
    ...keep(best, "best"),
    ...keep(ranked(fired), "fired"),
    ...keep(ranked(expected), "expected"),
  };
  return sample;
}
