import type { TrialLine } from "../records/index.ts";
import type { Activation, ErrorReason } from "../transcripts/index.ts";
import { type Asked, missingSkills } from "./read-trial.ts";
import { NONE, NOT_SAID } from "./scores.ts";

/** What is put to targets: the questions on it, and what it expects as a whole. */
export interface AskedAsk {
  key: string;
  questions: Asked[];
  /** Row of the matrix; undefined for cases, which have none. */
  expected: string | undefined;
}

/** What is kept of an ask on a target. An error counts only while its run has no measurement. */
export interface AskTally {
  runs: Map<number, "measured" | ErrorReason>;
  /** Trials in which the required skill did not fire and this one did. */
  stolen?: Map<string, number>;
}

/** What the questions on an ask expect together. */
export function expectation(questions: Asked[]): string | undefined {
  const expects = questions.flatMap(({ line }) => (line.expect === undefined ? [] : [line.expect]));
  if (expects.length === 0) return undefined;
  const required = [...new Set(expects.flatMap((expect) => expect.required_skills))].sort();
  if (required.length > 0) return required.join(" + ");
  return expects.some((expect) => !expect.allow_extra) ? NONE : NOT_SAID;
}

/** Who took this trial from the skill that should have had it. */
export function noteSteals(tally: AskTally, ask: AskedAsk, counted: Activation[]): void {
  const robbed = ask.questions.find(({ line }) => line.positive && missingSkills(line.expect, counted).length > 0);
  if (robbed === undefined || counted.length === 0) return;
  const { required_skills: required } = robbed.line.expect!;
  const thief = counted.find(({ skill }) => !required.includes(skill));
  if (thief === undefined) return;
  tally.stolen ??= new Map();
  tally.stolen.set(thief.skill, (tally.stolen.get(thief.skill) ?? 0) + 1);
}

/** True when the trial says something new about its ask: the first measurement of a run, or its first error. */
export function takesIn(tally: AskTally, trial: TrialLine): boolean {
  const known = tally.runs.get(trial.run);
  if (known === "measured" || (known !== undefined && trial.error !== undefined)) return false;
  tally.runs.set(trial.run, trial.error?.reason ?? (trial.how === "error" ? "unknown" : "measured"));
  return true;
}
