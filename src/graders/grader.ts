import type { z } from "zod";
import type { EvidenceRule, Transcript } from "../transcripts/index.ts";

export interface Check {
  /** null = skipped; the message says why. */
  passed: boolean | null;
  score: number | null;
  message: string;
  evidence?: string;
}

export interface JudgeRequest {
  system: string;
  prompt: string;
  /** Another than the exam's own. */
  model?: string;
  /** Which of several independent judgements of the same text this is, and which attempt at it; both from 0. */
  vote: number;
  attempt: number;
}

export interface JudgeReply {
  text: string;
  /** It ended because it reached its token limit. */
  cut?: boolean;
  /** Called when the reply could be read: it is worth keeping. */
  keep?(): void;
}

/** Judges free text; handed in by the exam, never imported by a grader. Throws when it cannot. */
export type Judge = (request: JudgeRequest) => Promise<JudgeReply>;

export interface GradingContext {
  /** The folder the examinee worked in, while it still exists. */
  workspace?: string;
  judge?: Judge;
  /** What the examinee was asked. */
  prompt: string;
  /** Which activations count; `any` by default. */
  evidence?: EvidenceRule;
  /** The folder of the suite file; names of files in a configuration are relative to it. */
  suiteDir?: string;
}

/** A grader as a suite writes it. */
export interface GraderSpec {
  type: string;
  name?: string;
  weight?: number;
  config: unknown;
}

/** One grader: the schema of its configuration, and how it judges. */
export interface Grader<Schema extends z.ZodType = z.ZodType> {
  type: string;
  config: Schema;
  /** What its schema cannot say: why this configuration can never be graded by. `suiteDir` is where its files are. */
  fault?(config: z.output<Schema>, suiteDir: string | undefined): string | undefined;
  grade(config: z.output<Schema>, transcript: Transcript, context: GradingContext): Check[] | Promise<Check[]>;
}

export function defineGrader<Schema extends z.ZodType>(grader: Grader<Schema>): Grader<Schema> {
  return grader;
}
