import type { TrialLine } from "../records/index.ts";
import { type Activation, ERROR_REASONS, type ErrorReason } from "../transcripts/index.ts";
import type { AskedAsk } from "./asks.ts";
import { missingSkills } from "./read-trial.ts";

/** What is kept of an ask on a target. An error counts only while its run has no measurement. */
export interface AskTally {
  /** By run − 1: 0 = measured, otherwise 1 + the index of the error's reason. Numbers, because there is one for every trial of a record. */
  states: number[];
  /** Trials in which the required skill did not fire and this one did. */
  stolen?: Map<string, number>;
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

/** True when the trial measures a run that has no measurement yet. */
export function takesIn(tally: AskTally, trial: TrialLine): boolean {
  const known = tally.states[trial.run - 1];
  const reason = trial.error?.reason ?? (trial.how === "error" ? "unknown" : undefined);
  if (known === 0 || (known !== undefined && reason !== undefined)) return false;
  tally.states[trial.run - 1] = reason === undefined ? 0 : 1 + ERROR_REASONS.indexOf(reason);
  return reason === undefined;
}

/** The state of every trial of an ask, by run. */
export function* statesOf(tally: AskTally | undefined): Generator<"measured" | ErrorReason> {
  for (const index in tally?.states) {
    const state = tally.states[Number(index)]!;
    yield state === 0 ? "measured" : (ERROR_REASONS[state - 1] ?? "unknown");
  }
}
