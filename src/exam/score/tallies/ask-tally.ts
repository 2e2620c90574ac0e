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

/** An ask with the questions on it, and what is kept of its trials on one target. */
export interface AskTally {
  questions: QuestionTally[];
  /** What the questions expect together, once somebody has asked: `expectedOf`. */
  expected?: string | null;
  /** By run − 1, with holes for runs that were not made. An error counts only while its run has no measurement. */
  states?: ("measured" | ErrorReason)[];
  /** When its trials were measured, in milliseconds; an answer from the cache was measured before its run. */
  measuredAt?: { first: number; last: number };
  /** Who fired first in its measured trials, and how often. */
  winners: Winner[];
  /** Trials in which the required skill did not fire and this one did. */
  stolen?: Map<string, number>;
}

interface Winner {
  skill: string;
  trials: number;
}

export type AskTallies = Map<string, AskTally>;

/** Puts a question to its ask. Targets that are asked in their own way (a judge is asked about one skill) have asks of their own. */
export function addQuestion(asks: AskTallies, line: QuestionLine, target?: string): QuestionTally {
  const own = target === undefined ? undefined : line.asks?.[target];
  // Questions that cannot be asked share nothing, whatever their ask says.
  const key = line.invalid === undefined ? (own ?? line.ask) : `invalid ${line.id}`;
  const question = startQuestion(line, own !== undefined);
  const ask = askOf(asks, key);
  // A list that is made by pushing reserves room for 17, and most asks have one question.
  if (ask.questions.length === 0) ask.questions = [question];
  else ask.questions.push(question);
  ask.expected = undefined;
  return question;
}

/** The tally of an ask; a trial may be of one that no question is on. */
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

/** True when the trial measures a run that has no measurement yet. */
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

/** How many trials of an ask were measured, and why the others were not, by run. */
export function statesOf({ states = [] }: AskTally): { measured: number; errors: readonly ErrorReason[] } {
  const all = Object.values(states);
  const errors = all.filter((state) => state !== "measured");
  return { measured: all.length - errors.length, errors };
}

/** Notes who fired first in a measured trial. */
export function noteWinner(ask: AskTally, counted: readonly Activation[]): void {
  const skill = counted[0]?.skill ?? NONE;
  const known = ask.winners.find((winner) => winner.skill === skill);
  if (known !== undefined) known.trials++;
  // Pushing would reserve room for 17, and most asks have one winner.
  else ask.winners = [...ask.winners, { skill, trials: 1 }];
}

/** Most trials first. */
export function winnersOf({ winners }: AskTally): Winner[] {
  return winners.map((winner) => ({ ...winner })).sort((a, b) => b.trials - a.trials || (a.skill < b.skill ? -1 : 1));
}

/** Who took this trial from the skill that should have had it. */
export function noteSteals(ask: AskTally, counted: Activation[]): void {
  const robbed = ask.questions.find(({ line }) => line.positive && missingSkills(line.expect, counted).length > 0);
  const required = robbed?.line.expect?.required_skills;
  const thief = required && counted.find(({ skill }) => !required.includes(skill));
  if (thief === undefined) return;
  ask.stolen ??= new Map();
  ask.stolen.set(thief.skill, (ask.stolen.get(thief.skill) ?? 0) + 1);
}

/** What the questions on an ask expect together: the row of the matrix; null for cases, which have none. */
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

/** Does a negative name the sibling that should win, or is its very prompt a sibling's positive? */
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
