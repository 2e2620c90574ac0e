import type { Location, Problem } from "../base/index.ts";
import type { GraderSpec, SkillInvocation } from "./check.ts";

/** A file put into the workspace before the question is asked: inline text, or a copy of `from` (an absolute path). */
export type QuestionFile =
  | { path: string; content: string }
  /** The file is read only if it really lies in `within`, when that is set. */
  | { path: string; from: string; within?: string };

export interface Message {
  role: "user" | "assistant";
  content: string;
}

export interface Limits {
  maxTurns?: number;
  timeoutSeconds?: number;
}

export interface QuestionBase {
  /** Unique in its suite file. It does not change when other questions are added. */
  id: string;
  /** The skill whose suite this is, as written there; absent in suites for the whole library. */
  skill?: string;
  files: QuestionFile[];
  messages: Message[];
  tags: string[];
  runs?: number;
  skip?: string;
  /** Providers (anthropic, openai, google …) that are not asked. */
  skipProviders: string[];
  split?: string;
  notes?: string;
  /** Written by a tool and not yet reviewed by a person. */
  draft?: boolean;
  limits: Limits;
  /** Problems that keep only this question from being asked. The suite's problems include them. */
  faults?: Problem[];
  source: Location;
}

/** A prompt, and which skills it may and may not activate. */
export interface Trigger extends QuestionBase {
  kind: "trigger";
  query: string;
  expect: SkillInvocation;
  /** Models the suite asks for; absent means any. */
  models?: string[];
}

export interface Case extends QuestionBase {
  kind: "case";
  name?: string;
  /** The prompt verbatim; absent if `template` and its `inputs` make it (eva). */
  prompt?: string;
  template?: {
    file: string;
    within: string;
    inputs: Record<string, unknown>;
    defaults?: Record<string, unknown>;
    inputsFile?: string;
  };
  graders: GraderSpec[];
  expectedOutput?: string;
  setup?: string[];
  /** User messages sent one by one, each after the examinee has answered. */
  followUps?: string[];
  responder?: Responder;
  /** Models the suite asks for; empty means any. */
  models: string[];
  judge?: { model?: string; passThreshold?: number };
}

/** Answers the examinee's questions, by the first rule whose pattern matches or by a model with instructions. */
export type Responder =
  | { rules: { pattern: string; reply: string }[]; mostReplies: number }
  | { instructions: string; model?: string; mostReplies: number };

export type Question = Trigger | Case;

/** The questions of one file, or of one folder for formats that use several files. */
export interface Suite {
  file: string;
  format: string;
  skill?: string;
  triggers: Trigger[];
  cases: Case[];
  defaults: { model?: string; judgeModel?: string; timeoutSeconds?: number; runs?: number; models?: string[] };
  problems: Problem[];
}
