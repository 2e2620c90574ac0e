import type { z } from "zod";
import type { Check, EvidenceRule, Transcript } from "../model/index.ts";
import type { Programs } from "./programs/programs.ts";

export interface JudgeRequest {
  system: string;
  prompt: string;
  /** Overrides the exam's judge. */
  model?: string;
  /** Which of several independent judgements of the same text this is, and which attempt at it; both from 0. */
  vote: number;
  attempt: number;
}

export interface JudgeReply {
  text: string;
  /** The reply reached its token limit. */
  cut?: boolean;
  /** Called when the reply could be parsed, so that it is cached. */
  keep?(): void;
}

/** Judges free text. The exam hands it in; graders import none. Throws when it cannot judge. */
export type Judge = (request: JudgeRequest) => Promise<JudgeReply>;

/** What a grader may see besides the transcript. */
export interface GradingContext {
  judge?: Judge;
  prompt: string;
  /** The case's own description of a good answer, for judges. */
  expectedOutput?: string;
  evidence?: EvidenceRule;
  /** The folder of the suite file, which file names in a configuration are relative to. */
  suiteDir?: string;
  /** Starts programs in the examinee's workspace and sandbox; a text says why none can be started. */
  programs?: Programs | string;
  /** Duration of the trial. */
  ms?: number;
  /** The reply to the same ask without the skill; a text says why it is not known. */
  baseline?: { finalText: string } | string;
  /** `diff` writes its snapshots instead of comparing. */
  updateSnapshots?: boolean;
}

export interface Grader<Schema extends z.ZodType = z.ZodType> {
  type: string;
  config: Schema;
  /** Why a configuration that its schema allows can never work. */
  fault?(config: z.output<Schema>, suiteDir: string | undefined): string | undefined;
  /** How many judgements this configuration asks for. Graders that ask a judge run last. */
  judgements?(config: z.output<Schema>): number;
  /** Whether this configuration needs the reply without the skill. */
  compares?(config: z.output<Schema>): boolean;
  /** A cached answer without its files cannot be graded by such a grader. */
  startsPrograms?: boolean;
  /** The score is the mean of the checks; by default it is the lowest. */
  scoring?: "mean";
  grade(config: z.output<Schema>, transcript: Transcript, context: GradingContext): Check[] | Promise<Check[]>;
}

/** Types a grader of your own, for `graders` in the configuration. */
export function defineGrader<Schema extends z.ZodType>(grader: Grader<Schema>): Grader<Schema> {
  return grader;
}
