import type { Limits, Message, QuestionFile, Responder } from "./question.ts";

/** What is put to a target. Questions with the same ask share its trials. */
export interface Ask {
  /** Of everything below but the library. */
  key: string;
  kind: "trigger" | "case";
  prompt: string;
  files: QuestionFile[];
  messages: Message[];
  /** Fingerprint of the library that is discoverable. */
  library: string;
  /** For a judge: the one skill it decides about. For a case: the skill under test. */
  skill?: string;
  limits: Limits;
  /** Of a case that is asked for comparison: without its skill, or with another version of it, which lies in this folder. */
  variant?: { label: string; folder?: string; fingerprint?: string };
  /** Of a case, where it has any. */
  setup?: string[];
  followUps?: string[];
  responder?: Responder;
}
