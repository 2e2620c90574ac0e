import { checkActivations, type SkillInvocation } from "../graders/index.ts";
import type { QuestionLine, TrialLine } from "../records/index.ts";
import { type Activation, countedActivations, type EvidenceRule } from "../transcripts/index.ts";
import type { Asked } from "./asks.ts";
import type { Cause } from "./scores.ts";

/** What a measured trial says about one of the questions that share it. */
export interface Reading {
  passed: boolean;
  /** Had only the first move counted; null for cases. */
  firstMovePassed: boolean | null;
  /** The question's own skill fired although it must not; for negatives only. */
  misfired: boolean;
  firstMoveMisfired: boolean;
  /** Set when it did not pass. */
  cause?: Cause;
  message: string;
}

/** null: nothing could be checked, so nothing was measured. */
export function readTrial(
  question: Asked,
  trial: TrialLine,
  counted: Activation[],
  evidence: { rule: EvidenceRule; regrade: boolean },
): Reading | null {
  const check = checkOf(question.line, trial, evidence);
  if (check.passed === null) return null;
  const { expect } = question.line;
  const onFirst = counted.every((activation) => activation.turn === 1) ? counted : counted.filter((activation) => activation.turn === 1);
  const firstMovePassed = expect === undefined ? null : onFirst === counted ? check.passed : holds(expect, onFirst, evidence.rule);
  return {
    passed: check.passed,
    firstMovePassed,
    misfired: misfired(question, check.passed, counted),
    firstMoveMisfired: firstMovePassed !== null && misfired(question, firstMovePassed, onFirst),
    ...(check.passed ? {} : { cause: causeOf(question.line, trial, counted) }),
    message: check.message,
  };
}

/** Required skills that did not fire; one of `also_fine` stands for all of them. */
export function missingSkills(expect: QuestionLine["expect"], counted: Activation[]): string[] {
  if (expect === undefined) return [];
  const fired = new Set(counted.map((activation) => activation.skill));
  if (expect.also_fine.some((skill) => fired.has(skill))) return [];
  return expect.required_skills.filter((skill) => !fired.has(skill));
}

function checkOf(question: QuestionLine, trial: TrialLine, { rule, regrade }: { rule: EvidenceRule; regrade: boolean }) {
  if (regrade && question.expect !== undefined) {
    const checks = checkActivations(question.expect as SkillInvocation, trial.activations, rule);
    return { passed: checks.every((check) => check.passed), message: checks.find((check) => !check.passed)?.message ?? "" };
  }
  const checks = trial.checks.filter((check) => check.question === question.id);
  const failed = checks.find((check) => check.passed === false);
  const open = checks.length === 0 || checks.some((check) => check.passed === null);
  return { passed: failed !== undefined ? false : open ? null : true, message: failed?.message ?? "" };
}

function holds(expect: NonNullable<QuestionLine["expect"]>, activations: Activation[], rule: EvidenceRule): boolean {
  return checkActivations(expect as SkillInvocation, activations, rule).every((check) => check.passed);
}

/** A question that expects a sibling fails also when nobody fires; that is no false positive of its own skill. */
function misfired({ line, skill, role }: Asked, passed: boolean, activations: Activation[]): boolean {
  if (role === "positive") return false;
  return line.positive ? activations.some((activation) => activation.skill === skill) : !passed;
}

function causeOf(question: QuestionLine, trial: TrialLine, counted: Activation[]): Cause {
  const { expect } = question;
  if (expect === undefined) return "check";
  if (!question.positive) return "misfire";
  const missing = missingSkills(expect, counted);
  if (missing.length === 0) return "not_as_expected";
  if (trial.activations.some(({ evidence, skill }) => evidence === "refused" && missing.includes(skill))) return "refused";
  if (missing.some((skill) => shownOf(trial, skill) === "absent" || shownOf(trial, skill) === "bare")) return "not_shown";
  if (counted.some(({ skill }) => !expect.required_skills.includes(skill))) return "sibling";
  return trial.askedBack === true ? "asked_back" : "unused";
}

/** What the model was shown of a skill; undefined where the host does not say. */
export function shownOf(trial: TrialLine, skill: string): "whole" | "cut" | "bare" | "absent" | undefined {
  if (trial.listing === undefined || trial.listing.length === 0) return undefined;
  return trial.listing.find((entry) => entry.skill === skill)?.shown ?? "absent";
}

export function countedIn(trial: TrialLine, rule: EvidenceRule): Activation[] {
  return trial.activations.length === 0 ? [] : countedActivations(trial.activations, rule);
}
