import type { z } from "zod";
import type { Check, EvidenceRule, Transcript } from "../model/index.ts";
import type { Programs } from "./programs/programs.ts";

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

/** What a grader may see beside the transcript, which has the tool calls and the files that were left in the workspace. */
export interface GradingContext {
  judge?: Judge;
  /** What the examinee was asked. */
  prompt: string;
  /** What the case says a good answer looks like: for judges. */
  expectedOutput?: string;
  /** Which activations count; `any` by default. */
  evidence?: EvidenceRule;
  /** The folder of the suite file; names of files in a configuration are relative to it. */
  suiteDir?: string;
  /** Starts programs where the examinee worked, in its sandbox; or why none can be started. */
  programs?: Programs | string;
  /** How long the trial took. */
  ms?: number;
  /** What was answered to the same ask without the skill; or why that is not known. */
  baseline?: { finalText: string } | string;
  /** Write what `diff` compares with, instead of comparing. */
  updateSnapshots?: boolean;
}

/** One grader: the schema of its configuration, and how it judges. */
export interface Grader<Schema extends z.ZodType = z.ZodType> {
  type: string;
  config: Schema;
  /** What its schema cannot say: why this configuration can never be graded by. `suiteDir` is where its files are. */
  fault?(config: z.output<Schema>, suiteDir: string | undefined): string | undefined;
  /** It asks a judge, so it comes last; how often, for this configuration. */
  judgements?(config: z.output<Schema>): number;
  /** For this configuration it needs what was answered without the skill. */
  compares?(config: z.output<Schema>): boolean;
  /** It starts programs: answers that are kept without their files cannot be graded by it. */
  startsPrograms?: boolean;
  /** Its score is the mean of its checks; otherwise the lowest of them. */
  scoring?: "mean";
  grade(config: z.output<Schema>, transcript: Transcript, context: GradingContext): Check[] | Promise<Check[]>;
}

/** Types a grader of your own, for `graders` in the configuration; it changes nothing. */
export function defineGrader<Schema extends z.ZodType>(grader: Grader<Schema>): Grader<Schema> {
  return grader;
}
