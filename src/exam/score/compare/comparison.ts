import type { QuestionScore } from "../../../model/index.ts";
import type { PairedDifference } from "../statistics/paired-tests.ts";
import type { Design } from "../statistics/power.ts";

/** Compares the questions that a target (or its replacement) answered in two runs, with a verdict in both. */
export interface Comparison {
  target: string;
  against: string;
  predicted: boolean;
  deterministic: boolean;
  /** Number of questions asked and checked in the same way and measured again, and of their prompts. */
  n: number;
  prompts: number;
  passed: { before: number; now: number };
  /** Here and below, questions are as scored in the later run, except `only.before`. */
  improved: QuestionScore[];
  worsened: QuestionScore[];
  skills: SkillComparison[];
  rates: { recall: PairedRate; fpr: PairedRate };
  flow: Flow[];
  /** Prompts that fail now because a sibling takes them, and did not before. */
  newThefts: { thief: string; question: QuestionScore }[];
  /** `lost` passed and can no longer be told; `pass` and `fail` could not be told before. */
  unsure: { lost: QuestionScore[]; pass: QuestionScore[]; fail: QuestionScore[] };
  /**
   * Passed before and have no verdict now: the target cannot tell, too little was measured, or they can no longer be
   * asked.
   */
  lost: QuestionScore[];
  leftOut: LeftOut;
  unaskable: QuestionScore[];
  only: { before: QuestionScore[]; now: QuestionScore[] };
  /** Change of the share of right runs. Null on a deterministic target, and if nothing was measured again. */
  difference: PairedDifference | null;
  /** McNemar's exact test on verdicts, by prompt. Null like `difference`. */
  verdicts: { better: number; worse: number; p: number } | null;
  design: Design | null;
}

export interface LeftOut {
  /** Answered by the very trials of the earlier run: from the cache, or graded again. */
  sameAnswers: number;
  askedOtherwise: number;
  checkedOtherwise: number;
  relabelled: number;
  unsure: number;
  noVerdict: number;
}

export interface SkillComparison {
  skill: string;
  n: number;
  prompts: number;
  before: number;
  now: number;
  difference: PairedDifference | null;
  /** p of the difference, corrected for the number of skills (Holm). */
  adjusted: number | null;
}

export interface PairedRate {
  n: number;
  prompts: number;
  before: number | null;
  now: number | null;
  difference: PairedDifference | null;
}

export interface Flow {
  from: string;
  to: string;
  prompts: number;
  improved: number;
  worsened: number;
}
