import type { FailsGiven } from "../../exam/score/index.ts";
import type { Note, NotedAgreement, Since } from "../../history/index.ts";
import type {
  Activation,
  Cause,
  CheckResult,
  HeaderSkill,
  LeftFile,
  ListingEntry,
  Prediction,
  QuestionScore,
  Scores,
  TargetScores,
  TrialError,
  Usage,
} from "../../model/index.ts";
import type { CollidingLibrary } from "../collisions/json.ts";

/**
 * Everything the page shows. All numbers come from the scores; the page only lays them out. A file embeds it as
 * compressed JSON, `proctor view` serves it as JSON.
 */
export interface PageData {
  version: 1;
  proctor: string;
  exam: PageExam | null;
  /** The skills as the run saw them, or the current ones if there is no run. */
  library: { name: string; skills: PageSkill[] };
  /** What `proctor collisions` finds; null if the library is unavailable or has changed since the run. */
  collisions: PageCollisions | null;
  /** Stored runs of the same library, including this one, oldest first. */
  history: PageRun[];
  words: { causes: Record<string, string>; errors: Record<string, string> };
}

export interface PageExam {
  run: Scores["run"];
  thresholds: { positive: number; negative: number; confidence: number | null };
  plan: Scores["plan"];
  gates: { text: string; target: string; status: "met" | "breached" | "unmeasured"; message: string }[];
  exitCode: number;
  next: string[];
  questions: PageQuestion[];
  /** Asks are identified by the shortest unique prefix of their key. */
  targets: PageTarget[];
  agreements: {
    first: string;
    second: string;
    agreed: number;
    n: number;
    low: number | null;
    high: number | null;
    kappa: number | null;
    /** Set if one of them only predicts: how often the other fails what it fails, passes or cannot tell. */
    trust?: FailsGiven & { says: string; fails: string };
  }[];
  since: PageSince[];
  notes: { all: PageNote[]; agreement: NotedAgreement | null };
  /** Skills ordered so that those confused with each other are neighbours. */
  order: string[];
  trials: PageTrial[];
  /** Each distinct listing that models were shown; trials refer to it by index. */
  listings: ListingEntry[][];
  /** Indexes of the listings its trials saw, by target index. */
  seenListings: number[][];
  /** Trials with a stored transcript, and how many of those are embedded. The rest are in the record. */
  transcripts: { kept: number; here: number };
}

export type PageQuestion = Pick<
  QuestionScore,
  "id" | "kind" | "name" | "skill" | "role" | "positive" | "prompt" | "source" | "tags" | "cross" | "expected"
>;

export interface PageTarget extends Omit<TargetScores, "questions" | "identity"> {
  identity: { host?: string; version?: string; provider?: string; model?: string };
  results: PageResult[];
}

export interface PageResult
  extends Pick<
    QuestionScore,
    | "ask"
    | "status"
    | "reason"
    | "flaky"
    | "hits"
    | "measured"
    | "planned"
    | "errors"
    | "rate"
    | "causes"
    | "cause"
    | "fired"
    | "why"
    | "neverLoaded"
  > {
  /** Index into `questions`. */
  question: number;
  verdict: QuestionScore["verdict"] | "unsure";
  /** One character per run: `+` right, `-` wrong, `?` cannot tell, `!` error, `.` not asked. */
  runs: string;
  change?: "improved" | "worsened";
}

export interface PageSince extends Omit<Since, "comparison"> {
  comparison: Pick<Since["comparison"], "target" | "n" | "passed"> & { improved: string[]; worsened: string[] };
  sight: string;
  text: string;
  before?: PageRates;
}

export type PageNote = Omit<Note, "question"> & { question: number };

export interface PageTrial {
  target: number;
  ask: string;
  run: number;
  at: string;
  ms: number;
  how: "completed" | "max_turns" | "stopped" | "error";
  turns: number;
  fired: Activation[];
  /** The trial's cell in the matrix; absent for cases, which the matrix does not count. */
  cell?: { expected: string; fired: string };
  askedBack?: true;
  reason?: string;
  error?: TrialError;
  /** All checks of a case, but only the failed or open ones of a trigger. `question` is an index into `questions`. */
  checks: (Omit<CheckResult, "question"> & { question: number })[];
  retried: number;
  usage?: Usage;
  costUsd?: number;
  costEstimated?: true;
  cached?: { measuredAt: string };
  askedBecause?: string;
  listing?: number;
  prediction?: Prediction;
  transcript?: "here" | "record";
  raw?: true;
}

export interface PageTranscript {
  model?: string;
  steps: PageStep[];
  leftOff: number;
  raw?: CutText;
  files: PageFile[];
  /** Why part of the workspace is missing. */
  filesCut?: string;
}

interface PageFile extends Pick<LeftFile, "path" | "change" | "kind" | "bytes"> {
  text?: CutText;
  /** Set for a changed or removed file whose earlier content is in the record. */
  diff?: PageDiff;
}

export interface PageDiff {
  /** First line number before and after, and lines prefixed with ` `, `-` or `+`. */
  hunks: { before: number; after: number; lines: string[] }[];
  leftOff: number;
}

export type PageStep =
  | { type: "text"; turn: number; agent?: string; text: CutText; ms?: number }
  | {
      type: "call";
      turn: number;
      agent?: string;
      tool: string;
      input: CutText;
      ok?: boolean;
      result?: CutText;
      ms?: number;
      tookMs?: number;
    }
  | ({ type: "activation" } & Activation);

export interface CutText {
  text: string;
  leftOff: number;
}

export interface PageSkill extends Pick<HeaderSkill, "id" | "modelInvocable" | "description"> {
  problems?: { severity: string; code: string; message: string; place: string }[];
}

export interface PageCollisions
  extends Pick<CollidingLibrary, "name" | "fingerprint" | "skills" | "pairsLeftOff" | "broad" | "vague" | "common"> {
  note: string;
  /** Skills ordered so that rivals are neighbours. */
  order: string[];
  pairs: (CollidingLibrary["pairs"][number] & { advice: string })[];
}

type PageRates = Pick<TargetScores["total"], "score" | "recall" | "fpr" | "precision">;

export interface PageRun {
  run: string;
  startedAt: string;
  how: Scores["run"]["how"];
  partial?: string[];
  git?: { commit: string; dirty?: boolean };
  /** Skills edited since the previous run, with their descriptions if both records have them and they differ. */
  edited: { skill: string; before?: string; after?: string }[];
  targets: (PageRates & {
    id: string;
    predicted: boolean;
    verdicts: number;
    planned: number;
    skills: ({ skill: string } & Pick<PageRates, "score" | "recall" | "fpr">)[];
    /**
     * One character per question of the page's run: `+` pass, `-` fail, `?` unsure, `o` inconclusive, ` ` not asked.
     */
    outcomes: string;
  })[];
}

export const ALL_CAUSES = [
  "not_shown",
  "sibling",
  "unused",
  "refused",
  "asked_back",
  "not_as_expected",
  "misfire",
  "check",
  "error",
] as const satisfies readonly Cause[];
