import type { Location, Problem } from "../base/index.ts";
import type { GraderSpec, SkillInvocation } from "./check.ts";

/** A file put into the workspace before the question is asked: text given inline, or a file copied from `from` (absolute). */
export type QuestionFile =
  | { path: string; content: string }
  /** It is read only if it really lies within that folder, where one is named. */
  | { path: string; from: string; within?: string };

/** An earlier message of the conversation. */
export interface Message {
  role: "user" | "assistant";
  content: string;
}

export interface Limits {
  maxTurns?: number;
  timeoutSeconds?: number;
}

export interface QuestionBase {
  /** Unique in its suite file; does not change when other questions are added. */
  id: string;
  /** The skill whose suite this is, as written there; absent in suites that belong to the whole library. */
  skill?: string;
  files: QuestionFile[];
  messages: Message[];
  tags: string[];
  runs?: number;
  /** Not asked, and why. */
  skip?: string;
  /** Providers (anthropic, openai, google …) it is not put to. */
  skipProviders: string[];
  split?: string;
  notes?: string;
  /** Written by a tool and not yet reviewed by a person. */
  draft?: boolean;
  limits: Limits;
  /** What keeps this question, and no other, from being asked; each is among the suite's problems, too. */
  faults?: Problem[];
  source: Location;
}

/** A prompt, and which skills it may and may not activate. `expect` is the configuration of its one skill_invocation grader. */
export interface Trigger extends QuestionBase {
  kind: "trigger";
  query: string;
  expect: SkillInvocation;
  /** Models the suite asks for; absent = any. */
  models?: string[];
}

/** A prompt and what a good answer must satisfy. */
export interface Case extends QuestionBase {
  kind: "case";
  name?: string;
  /** The prompt verbatim; absent when it is a template that `inputs` fill (eva). */
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
  /** Commands for the shell, run in the workspace before the examinee comes. */
  setup?: string[];
  /** What the examinee is told next, after each of its answers. */
  followUps?: string[];
  responder?: Responder;
  /** Model the suite asks for; empty = any. */
  models: string[];
  judge?: { model?: string; passThreshold?: number };
}

/** Answers the examinee's questions: from a script, the first rule whose pattern its text matches; or as a model, by instructions. */
export type Responder =
  | { rules: { pattern: string; reply: string }[]; mostReplies: number }
  | { instructions: string; model?: string; mostReplies: number };

export type Question = Trigger | Case;

/** The questions of one file (or of one folder, for formats that spread over files). */
export interface Suite {
  file: string;
  /** The reader that understood it. */
  format: string;
  skill?: string;
  triggers: Trigger[];
  cases: Case[];
  defaults: { model?: string; judgeModel?: string; timeoutSeconds?: number; runs?: number; models?: string[] };
  problems: Problem[];
}
