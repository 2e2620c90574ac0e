import {
  type Activation,
  type ErrorReason,
  NONE,
  NOT_SAID,
  type QuestionLine,
  type TrialLine,
} from "../../../model/index.ts";
import { missingSkills } from "./failed-trial.ts";
import { type QuestionTally, startQuestion } from "./question-tally.ts";

export interface AskTally {
  questions: QuestionTally[];
  /** Computed on demand by `expectedOf`. */
  expected?: string | null;
  /** Indexed by run − 1, with holes for runs not made. An error counts only while its run has no measurement. */
  states?: ("measured" | ErrorReason)[];
  /** In milliseconds since the epoch. Cached answers were measured before their run. */
  measuredAt?: { first: number; last: number };
  winners: Winner[];
  /** Trials per skill that fired instead of the required one. */
  stolen?: Map<string, number>;
}

interface Winner {
  skill: string;
  trials: number;
}

export type AskTallies = Map<string, AskTally>;

/** Targets asked in their own way (a judge is asked about one skill) have their own asks. */
export function addQuestion(asks: AskTallies, line: QuestionLine, target?: string): QuestionTally {
  const own = target === undefined ? undefined : line.asks?.[target];
  // Questions that cannot be asked share nothing, whatever their ask says.
  const key = line.invalid === undefined ? (own ?? line.ask) : `invalid ${line.id}`;
  const question = startQuestion(line, own !== undefined);
  const ask = askOf(asks, key);
  // V8 over-allocates on push, and most asks have one question.
  if (ask.questions.length === 0) ask.questions = [question];
  else ask.questions.push(question);
  ask.expected = undefined;
  return question;
}

/** Creates the tally if needed, since a trial may be of an ask without questions. */
export function askOf(asks: AskTallies, key: string): AskTally {
  let ask = asks.get(key);
  if (ask === undefined) {
    ask = {
      questions: [],
      expected: undefined,
      states: undefined,
      measuredAt: undefined,
      winners: [],
      stolen: undefined,
    };
    asks.set(key, ask);
  }
  return ask;
}

/** True if the trial measures a run that has no measurement yet. */
export function takesIn(ask: AskTally, trial: TrialLine): boolean {
  ask.states ??= [];
  const known = ask.states[trial.run - 1];
  const state = trial.error?.reason ?? (trial.how === "error" ? "unknown" : "measured");
  if (known === "measured" || (known !== undefined && state !== "measured")) return false;
  ask.states[trial.run - 1] = state;
  if (state !== "measured") return false;
  noteTime(ask, Date.parse(trial.cached?.measuredAt ?? trial.startedAt));
  return true;
}

function noteTime(ask: AskTally, at: number): void {
  if (Number.isNaN(at)) return;
  ask.measuredAt ??= { first: at, last: at };
  if (at < ask.measuredAt.first) ask.measuredAt.first = at;
  if (at > ask.measuredAt.last) ask.measuredAt.last = at;
}

/** `errors` are in order of the runs. */
export function statesOf({ states = [] }: AskTally): { measured: number; errors: readonly ErrorReason[] } {
  const all = Object.values(states);
  const errors = all.filter((state) => state !== "measured");
  return { measured: all.length - errors.length, errors };
}

export function noteWinner(ask: AskTally, counted: readonly Activation[]): void {
  const skill = counted[0]?.skill ?? NONE;
  const known = ask.winners.find((winner) => winner.skill === skill);
  if (known !== undefined) known.trials++;
  // V8 over-allocates on push, and most asks have one winner.
  else ask.winners = [...ask.winners, { skill, trials: 1 }];
}

export function winnersOf({ winners }: AskTally): Winner[] {
  return winners.map((winner) => ({ ...winner })).sort((a, b) => b.trials - a.trials || (a.skill < b.skill ? -1 : 1));
}

export function noteSteals(ask: AskTally, counted: Activation[]): void {
  const robbed = ask.questions.find(({ line }) => line.positive && missingSkills(line.expect, counted).length > 0);
  const required = robbed?.line.expect?.required_skills;
  const thief = required && counted.find(({ skill }) => !required.includes(skill));
  if (thief === undefined) return;
  ask.stolen ??= new Map();
  ask.stolen.set(thief.skill, (ask.stolen.get(thief.skill) ?? 0) + 1);
}

/** What the questions on an ask expect together, a row of the matrix; null for cases, which have none. */
export function expectedOf(ask: AskTally): string | null {
  ask.expected ??= expectation(ask.questions);
  return ask.expected;
}

function expectation(questions: readonly QuestionTally[]): string | null {
  const [only] = questions;
  const alone = questions.length === 1 ? only?.line.expect?.required_skills : undefined;
  if (alone?.length === 1) return alone[0] ?? null;
  const expects = questions.flatMap(({ line }) => line.expect ?? []);
  if (expects.length === 0) return null;
  const required = [...new Set(expects.flatMap((expect) => expect.required_skills))].sort();
  if (required.length > 0) return required.join(" + ");
  return expects.some((expect) => !expect.allow_extra) ? NONE : NOT_SAID;
}

/** Whether a negative names the sibling that should win, and whether its prompt is a sibling's positive. */
export function siblingsOf(
  { line, skill, role, expectsSibling }: QuestionTally,
  shared: AskTallies,
): { expectsSibling: boolean; belongsToSibling: boolean } {
  if (role === "positive") return { expectsSibling: false, belongsToSibling: false };
  const others = shared.get(line.ask)?.questions ?? [];
  return {
    expectsSibling,
    belongsToSibling: others.some(
      (other) => other.role === "positive" && other.skill !== undefined && other.skill !== skill,
    ),
  };
}
