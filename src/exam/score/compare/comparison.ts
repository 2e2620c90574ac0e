import type { QuestionScore } from "../../../model/index.ts";
import type { PairedDifference } from "../statistics/paired-tests.ts";
import type { Design } from "../statistics/power.ts";

/** What became of the questions that a target, or one in its place, answered in two runs, with a verdict in both. */
export interface Comparison {
  /** As it is called now, and in the earlier run. */
  target: string;
  against: string;
  predicted: boolean;
  deterministic: boolean;
  /** Questions that were asked and checked the same way, and measured again; and how many prompts they are on. */
  n: number;
  prompts: number;
  passed: { before: number; now: number };
  /** As they are now. */
  improved: QuestionScore[];
  worsened: QuestionScore[];
  /** Every skill with such questions, in the order of its first. */
  skills: SkillComparison[];
  /** Over the questions that are compared. */
  rates: { recall: PairedRate; fpr: PairedRate };
  /** Prompts whose winner changed, most first. */
  flow: Flow[];
  /** Prompts of a skill that fail now because a sibling takes them, and did not before. */
  newThefts: { thief: string; question: QuestionScore }[];
  /** Of a target that knows what it does not know, as they are now: those that passed and that it can no longer tell, and those that it could not tell and that pass or fail. */
  unsure: { lost: QuestionScore[]; pass: QuestionScore[]; fail: QuestionScore[] };
  /** Passed before, and as they are now: without a verdict, because the target cannot tell, or too little was measured, or they can no longer be asked. */
  lost: QuestionScore[];
  /** Questions that are left out, because the two runs have nothing to tell about them. */
  leftOut: LeftOut;
  /** Asked before, and as they are now: they name what the library no longer has. */
  unaskable: QuestionScore[];
  /** Questions that only one of the two runs has. */
  only: { before: QuestionScore[]; now: QuestionScore[] };
  /** The share of runs that come out right, now less then. null on a target that gives the same answer each time, and where nothing was measured again. */
  difference: PairedDifference | null;
  /** McNemar's exact test on verdicts, by prompt: those that became better and worse. null as above. */
  verdicts: { better: number; worse: number; p: number } | null;
  /** What it has to see a change with; null as above. */
  design: Design | null;
}

export interface LeftOut {
  /** Answered by the very trials that the earlier run has: from the cache, or graded again. */
  sameAnswers: number;
  /** With other files, earlier messages or limits. */
  askedOtherwise: number;
  checkedOtherwise: number;
  /** The same prompt with another label. */
  relabelled: number;
  /** The target could not tell, in either run. */
  unsure: number;
  /** No verdict for another reason, in either run. */
  noVerdict: number;
}

export interface SkillComparison {
  skill: string;
  n: number;
  prompts: number;
  /** Questions that pass. */
  before: number;
  now: number;
  /** As of the target; null as there. */
  difference: PairedDifference | null;
  /** p of the difference, corrected for the number of skills (Holm). */
  adjusted: number | null;
}

/** A rate over the same questions in both runs. */
export interface PairedRate {
  n: number;
  prompts: number;
  before: number | null;
  now: number | null;
  /** null as of the target, and without questions. */
  difference: PairedDifference | null;
}

/** Prompts that went from one winner to another; `(none)` is nobody. */
export interface Flow {
  from: string;
  to: string;
  prompts: number;
  /** Questions on them that pass now and did not, and the other way round. */
  improved: number;
  worsened: number;
}
