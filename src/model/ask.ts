import type { Limits, Message, QuestionFile, Responder } from "./question.ts";

/** What a target is asked. Questions with the same ask share its trials. */
export interface Ask {
  /** Hash of everything below except the library. */
  key: string;
  kind: "trigger" | "case";
  prompt: string;
  files: QuestionFile[];
  messages: Message[];
  library: string;
  /** For a judge, the one skill it decides about; for a case, the skill under test. */
  skill?: string;
  limits: Limits;
  /** Set on a case asked for comparison, without its skill or with the version of it in `folder`. */
  variant?: { label: string; folder?: string; fingerprint?: string };
  setup?: string[];
  followUps?: string[];
  responder?: Responder;
}
