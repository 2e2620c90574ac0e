import type { z } from "zod";
import type { Check, EvidenceRule, Transcript } from "../model/index.ts";
import type { Programs } from "./programs/programs.ts";

export interface JudgeRequest {
  system: string;
  prompt: string;
  model?: string;
  /** `vote` numbers independent judgements of the same text, `attempt` the tries at one of them. Both start at 0. */
  vote: number;
  attempt: number;
}

export interface JudgeReply {
  text: string;
  cut?: boolean;
  /** Tells the judge that the reply was parsed and may be cached. */
  keep?(): void;
}

/** The exam passes the judge in; graders never import one. Throws if it cannot judge. */
export type Judge = (request: JudgeRequest) => Promise<JudgeReply>;

/** What a grader sees besides the transcript. */
export interface GradingContext {
  judge?: Judge;
  prompt: string;
  /** The case's description of a good answer, for judges. */
  expectedOutput?: string;
  evidence?: EvidenceRule;
  /** Folder of the suite file. Relative paths in a configuration start here. */
  suiteDir?: string;
  /** Starts programs in the trial's workspace and sandbox. A string says why it cannot. */
  programs?: Programs | string;
  /** Duration of the trial in milliseconds. */
  ms?: number;
  /** Reply to the same prompt without the skill. A string says why there is none. */
  baseline?: { finalText: string } | string;
  /** Makes `diff` write its snapshots instead of comparing them. */
  updateSnapshots?: boolean;
}

export interface Grader<Schema extends z.ZodType = z.ZodType> {
  type: string;
  config: Schema;
  /** Why a configuration that its schema accepts can never work. */
  fault?(config: z.output<Schema>, suiteDir: string | undefined): string | undefined;
  /** Number of judgements this configuration asks for. Graders that ask a judge run last. */
  judgements?(config: z.output<Schema>): number;
  /** Whether this configuration needs the reply without the skill. */
  compares?(config: z.output<Schema>): boolean;
  /** Such a grader cannot grade a cached answer whose files were not kept. */
  startsPrograms?: boolean;
  /** Scores the mean of the checks; the default is the lowest. */
  scoring?: "mean";
  grade(config: z.output<Schema>, transcript: Transcript, context: GradingContext): Check[] | Promise<Check[]>;
}

/** Types your own grader, for `graders` in the configuration. */
export function defineGrader<Schema extends z.ZodType>(grader: Grader<Schema>): Grader<Schema> {
  return grader;
}
