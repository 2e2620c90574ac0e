import type { QuestionLine, TrialLine } from "../../../model/index.ts";
import { type Activation, ERROR_REASONS, type ErrorReason, NONE, NOT_SAID } from "../../../model/index.ts";
import { createPool } from "../intern.ts";
import { missingSkills } from "./failed-trial.ts";
import { eachRun, keepRun, sized } from "./kept-runs.ts";
import { type QuestionTally, startQuestion } from "./question-tally.ts";

/** An ask with the questions on it, and what is kept of its trials on one target. */
export interface AskTally {
  questions: QuestionTally[];
  /** What the questions expect together, once somebody has asked: `expectedOf`. */
  expected?: string | null;
  /**
   * By run − 1: 0 = measured, otherwise 1 + the index of the error's reason. Numbers, because there is one for every trial of a record.
   * An error counts only while its run has no measurement.
   */
  states?: number[];
  /** When its trials were measured, in milliseconds; an answer from the cache was measured before its run. */
  measuredAt?: { first: number; last: number };
  /** Who fired first in its measured trials: the one skill, or how often each. */
  winners?: string | Winner[];
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
      winners: undefined,
      stolen: undefined,
    };
    asks.set(key, ask);
  }
  return ask;
}

/** True when the trial measures a run that has no measurement yet. */
export function takesIn(ask: AskTally, trial: TrialLine): boolean {
  ask.states ??= sized(plannedRuns(ask, trial.target));
  const known = ask.states[trial.run - 1];
  const reason = trial.error?.reason ?? (trial.how === "error" ? "unknown" : undefined);
  if (known === 0 || (known !== undefined && reason !== undefined)) return false;
  keepRun(ask.states, trial.run, reason === undefined ? 0 : 1 + ERROR_REASONS.indexOf(reason));
  if (reason === undefined) noteTime(ask, Date.parse(trial.cached?.measuredAt ?? trial.startedAt));
  return reason === undefined;
}

function plannedRuns({ questions }: AskTally, target: string): number {
  let most = 0;
  for (let index = 0; index < Math.min(100, questions.length); index++)
    most = Math.max(most, questions[index]?.line.runs[target] ?? 0);
  return most;
}

function noteTime(ask: AskTally, at: number): void {
  if (Number.isNaN(at)) return;
  ask.measuredAt ??= { first: at, last: at };
  if (at < ask.measuredAt.first) ask.measuredAt.first = at;
  if (at > ask.measuredAt.last) ask.measuredAt.last = at;
}

/** How many trials of an ask were measured, and why the others were not, by run. */
export function statesOf({ states = [] }: AskTally): { measured: number; errors: readonly ErrorReason[] } {
  let measured = 0;
  const errors: ErrorReason[] = [];
  eachRun(states, (state) => {
    if (state === 0) measured++;
    else errors.push(ERROR_REASONS[state - 1] ?? "unknown");
  });
  return { measured, errors };
}

/** Notes who fired first in a measured trial. Most asks have one winner, and there are as many asks as questions. */
export function noteWinner(ask: AskTally, counted: readonly Activation[]): void {
  const skill = counted[0]?.skill ?? NONE;
  if (ask.winners === undefined) ask.winners = skill;
  else if (typeof ask.winners === "string") {
    if (ask.winners === skill) return;
    ask.winners = [
      { skill: ask.winners, trials: statesOf(ask).measured - 1 },
      { skill, trials: 1 },
    ];
  } else {
    const known = ask.winners.find((winner) => winner.skill === skill);
    if (known === undefined) ask.winners = [...ask.winners, { skill, trials: 1 }];
    else known.trials++;
  }
}

/** Of so many measured trials. Shared by all asks that went alike: never changed. */
export function winnersOf({ winners }: AskTally, trials: number): Winner[] {
  if (winners === undefined) return [];
  if (typeof winners === "string") return shared(`${trials} ${winners}`, () => [{ skill: winners, trials }]);
  return shared(winners.map((winner) => `${winner.trials} ${winner.skill}`).join("\n"), () =>
    winners.map((winner) => ({ ...winner })).sort((a, b) => b.trials - a.trials || (a.skill < b.skill ? -1 : 1)),
  );
}

const shared = createPool<Winner[]>();

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
