import type { z } from "zod";
import type { EvidenceRule, Transcript } from "../transcripts/index.ts";

export interface Check {
  /** null = skipped; the message says why. */
  passed: boolean | null;
  score: number | null;
  message: string;
  evidence?: string;
}

/** Judges free text; handed in by the exam, never imported by a grader. `model` asks for another than the exam's own. Throws when it cannot. */
export type Judge = (request: { system: string; prompt: string; model?: string }) => Promise<{ text: string; costUsd?: number }>;

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
  grade(config: z.output<Schema>, transcript: Transcript, context: GradingContext): Check[] | Promise<Check[]>;
}

export function defineGrader<Schema extends z.ZodType>(grader: Grader<Schema>): Grader<Schema> {
  return grader;
}
