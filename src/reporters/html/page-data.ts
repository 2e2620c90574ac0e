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
 * All that the page shows, as data. Every number in it comes from `scores/`; the page lays them out and computes none.
 * It is in the page as compressed JSON, and `proctor view` sends it as JSON.
 */
export interface PageData {
  version: 1;
  proctor: string;
  /** null: a library that was never examined. */
  exam: PageExam | null;
  /** The skills of the library as the run saw them, or as they are where there is no run. */
  library: { name: string; skills: PageSkill[] };
  /** What `proctor collisions` finds in it; null where the library is not at hand, or has changed since the run. */
  collisions: PageCollisions | null;
  /** Runs of the same library that are kept beside this one, oldest first, this one among them. */
  history: PageRun[];
  /** The words for causes and errors, as every other report has them. */
  words: { causes: Record<string, string>; errors: Record<string, string> };
}

/** What a run means. */
export interface PageExam {
  run: Scores["run"];
  thresholds: { positive: number; negative: number; confidence: number | null };
  plan: Scores["plan"];
  gates: { text: string; target: string; status: "met" | "breached" | "unmeasured"; message: string }[];
  exitCode: number;
  /** What to do next, as the terminal says it. */
  next: string[];
  questions: PageQuestion[];
  /** Asks are named by the beginning of their key, as much as tells them apart. */
  targets: PageTarget[];
  /** How verdicts of two targets agree, for every pair of them. */
  agreements: {
    first: string;
    second: string;
    agreed: number;
    n: number;
    low: number | null;
    high: number | null;
    kappa: number | null;
    /** Where one of them only predicts: how often the other fails what it fails, passes or cannot tell. */
    trust?: FailsGiven & { says: string; fails: string };
  }[];
  since: PageSince[];
  /** What people think of its verdicts, and how often they agree with a judge. */
  notes: { all: PageNote[]; agreement: NotedAgreement | null };
  /** Skills in an order that puts those side by side which are confused with each other. */
  order: string[];
  trials: PageTrial[];
  /** What models were shown, each different listing once: a trial names its place here. */
  listings: ListingEntry[][];
  /** By the target's place: the listings that its trials saw. */
  seenListings: number[][];
  /** How many trials left a transcript, and how many of those came along. The others are in the record. */
  transcripts: { kept: number; here: number };
}

/** What is the same about a question on every target. */
export type PageQuestion = Pick<
  QuestionScore,
  "id" | "kind" | "name" | "skill" | "role" | "positive" | "prompt" | "source" | "tags" | "cross" | "expected"
>;

export interface PageTarget extends Omit<TargetScores, "questions" | "identity"> {
  identity: { host?: string; version?: string; provider?: string; model?: string };
  results: PageResult[];
}

/** A question on a target. */
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
  /** Its place in `questions`. */
  question: number;
  /** `unsure`: a prediction that cannot be told. */
  verdict: QuestionScore["verdict"] | "unsure";
  /** How each run went: `+` right, `-` wrong, `?` not to be told, `!` an error, `.` not asked. */
  runs: string;
  /** Against the run that `since` names. */
  change?: "improved" | "worsened";
}

export interface PageSince extends Omit<Since, "comparison"> {
  comparison: Pick<Since["comparison"], "target" | "n" | "passed"> & { improved: string[]; worsened: string[] };
  /** What a target that predicts can tell now, and no longer, in words; "" without such. */
  sight: string;
  /** The same in words, as the terminal says it. */
  text: string;
  /** The rates of the target in that run, where they are still known. */
  before?: PageRates;
}

/** `question` is a place in `questions`. */
export type PageNote = Omit<Note, "question"> & { question: number };

export interface PageTrial {
  /** Its place in `targets`. */
  target: number;
  ask: string;
  run: number;
  at: string;
  ms: number;
  how: "completed" | "max_turns" | "stopped" | "error";
  turns: number;
  fired: Activation[];
  /** Where the matrix counts it; absent for cases, which have no place in it. */
  cell?: { expected: string; fired: string };
  askedBack?: true;
  /** Why a judge decided as it did, in its own words. */
  reason?: string;
  error?: TrialError;
  /** Of triggers, only those that did not pass; of cases, all. `question` is a place in `questions`. */
  checks: (Omit<CheckResult, "question"> & { question: number })[];
  /** Attempts before the one that counts. */
  retried: number;
  usage?: Usage;
  costUsd?: number;
  costEstimated?: true;
  cached?: { measuredAt: string };
  askedBecause?: string;
  listing?: number;
  prediction?: Prediction;
  /** `here`: it came along. `record`: it is in the record, and `proctor view` shows it. */
  transcript?: "here" | "record";
  raw?: true;
}

/** A transcript as the page shows it, turn by turn. */
export interface PageTranscript {
  model?: string;
  steps: PageStep[];
  /** Steps that were left off. */
  leftOff: number;
  raw?: CutText;
  /** What the examinee changed in its workspace. */
  files: PageFile[];
  /** Why something of the workspace is not here. */
  filesCut?: string;
}

interface PageFile extends Pick<LeftFile, "path" | "change" | "kind" | "bytes"> {
  /** As it was left; absent where the diff says it all. */
  text?: CutText;
  /** Of a file that was changed or removed, where the record knows what it held before. */
  diff?: PageDiff;
}

/** What changed in a text, with the lines around it. */
export interface PageDiff {
  /** Where its first line stands before and after; its lines, each behind ` `, `-` or `+`. */
  hunks: { before: number; after: number; lines: string[] }[];
  /** Lines that were left off. */
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

/** A text, and how many characters of it were left off. */
export interface CutText {
  text: string;
  leftOff: number;
}

export interface PageSkill extends Pick<HeaderSkill, "id" | "modelInvocable" | "description"> {
  /** What `proctor check` finds; absent where the library is not at hand. */
  problems?: { severity: string; code: string; message: string; place: string }[];
}

export interface PageCollisions
  extends Pick<CollidingLibrary, "name" | "fingerprint" | "skills" | "pairsLeftOff" | "broad" | "vague" | "common"> {
  note: string;
  /** Skills in an order that puts rivals side by side. */
  order: string[];
  pairs: (CollidingLibrary["pairs"][number] & { advice: string })[];
}

type PageRates = Pick<TargetScores["total"], "score" | "recall" | "fpr" | "precision">;

/** A run that is kept. */
export interface PageRun {
  run: string;
  startedAt: string;
  how: Scores["run"]["how"];
  partial?: string[];
  git?: { commit: string; dirty?: boolean };
  /** Skills that were edited since the run before it, with their descriptions where both records have them and they differ. */
  edited: { skill: string; before?: string; after?: string }[];
  targets: (PageRates & {
    id: string;
    predicted: boolean;
    verdicts: number;
    planned: number;
    skills: ({ skill: string } & Pick<PageRates, "score" | "recall" | "fpr">)[];
    /** Verdicts of the questions of the page's run, by their place, a character each: `+` pass, `-` fail, `?` unsure, `o` inconclusive, ` ` not asked. */
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
