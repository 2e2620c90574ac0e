import type { OptionName, RunSettings, Table } from "../base/options/index.ts";
import type { HeaderLine } from "./line.ts";
import type { ErrorReason, Evidence, UnsureOfAll } from "./transcript/events.ts";

/** What a record means. Every report is a rendering of this. */
export interface Scores {
  run: RunInfo;
  options: ResolvedScoreOptions;
  plan: PlanSummary;
  targets: TargetScores[];
  gates: GateResult[];
}

export interface RunInfo {
  id: string;
  proctor: string;
  startedAt: string;
  /** Absent while it runs, or if it was killed. */
  endedAt?: string;
  how: "complete" | "interrupted" | "stopped" | "unfinished";
  goesOn?: true;
  /** Damaged or missing lines with their place. Only the rest is scored. */
  damage?: string[];
  library: { name: string; root: string; fingerprint: string; skills: number };
  suite: { fingerprint: string; files: string[] };
  git?: { commit: string; dirty?: boolean };
  partial?: string[];
  /** Paths that chose the questions, relative to the library's root; absent if none were given. */
  paths?: string[];
  /** Flags a command must repeat to mean the same exam. */
  said: string[];
  /** Set if no target was named, so each suite was asked on its own targets. */
  ownTargets?: true;
  shard?: { index: number; count: number };
  missingShards?: number[];
  limits: { usd?: number; tokens?: number; trials?: number };
  notAsked: Record<string, number>;
  saved: { trials: number; usd?: number };
  changed?: string[];
}

export interface PlanSummary {
  questions: number;
  /** Number of different prompts, including their files and earlier messages. */
  prompts: number;
  positive: number;
  negative: number;
  cases: number;
  invalid: number;
  skipped: number;
  drafts: number;
  skillsWithoutQuestions: string[];
  negatives: NegativeHardness;
}

/** Mistakes happen between neighbours, so negatives that belong to no sibling are easy. */
export interface NegativeHardness {
  negatives: number;
  expectSibling: number;
  belongToSibling: number;
  hard: number;
}

/** A share of n questions (or trials) with its 95 % interval. 0/0 is null, shown as "—", and has no interval. */
export interface Rate {
  value: number | null;
  n: number;
  /**
   * Number of different prompts (asks) among the n questions. Questions on one prompt are not independent; the interval
   * accounts for that.
   */
  prompts: number;
  low: number | null;
  high: number | null;
}

export interface Rates {
  score: Rate;
  triggers: Rate;
  cases: Rate;
  recall: Rate;
  fpr: Rate;
  precision: Rate;
  f1: Rate;
  firstMove: { recall: Rate; fpr: Rate };
  flaky: number;
  coverage: Coverage;
}

export interface Coverage {
  planned: number;
  verdicts: number;
  skipped: number;
  missing: { invalid: number; notAsked: number; errors: number; undecided: number; unsure: number };
}

export interface SkillScores extends Rates {
  skill: string;
  negatives: NegativeHardness & { nearestSibling?: string };
  takesFrom: { skill: string; prompts: number; trials: number }[];
}

export interface TargetScores {
  id: string;
  kind: string;
  predicted: boolean;
  deterministic: boolean;
  note?: string;
  identity: HeaderLine["targets"][number]["identity"];
  /** `total` is over all questions (micro), `macro` the plain mean over skills. */
  total: Rates;
  macro: {
    score: number | null;
    recall: number | null;
    fpr: number | null;
    precision: number | null;
    f1: number | null;
    skills: number;
  };
  skills: SkillScores[];
  questions: QuestionScore[];
  confusion: Confusion;
  steals: Steal[];
  causes: Causes;
  /** How many questions a predicting target could not tell, by reason, most first. */
  unsure: { reason: UnsureReason; questions: number }[];
  trials: TrialStats;
  attempts: Attempts[];
  lift?: Lift;
}

export interface LiftArm {
  passed: number;
  runs: number;
  rate: number | null;
  /** Means per trial; null if unknown. */
  usd: number | null;
  ms: number | null;
  loaded: number;
  trials: number;
}

/** A case with its skill, compared to the same case without it or with another version of it. */
export interface CaseLift {
  question: string;
  name?: string;
  skill?: string;
  with: LiftArm;
  without: LiftArm;
  /**
   * Difference of the pass rates with its 95 % interval; null if fewer than half of the runs were measured on a side.
   */
  difference: number | null;
  low: number | null;
  high: number | null;
  mark: "helps" | "harms" | "passes both ways" | "fails both ways" | "not compared";
}

export interface Lift {
  label: string;
  cases: CaseLift[];
  /**
   * Number of compared cases and of their prompts. The difference is the mean over cases; its interval is over prompts,
   * or over runs if there is only one prompt.
   */
  n: number;
  prompts: number;
  difference: number | null;
  low: number | null;
  high: number | null;
  with: Omit<LiftArm, "passed" | "runs">;
  without: Omit<LiftArm, "passed" | "runs">;
}

/** `unsure`: a predicting target cannot tell. That is not a failure, and it is in no rate. */
export type Verdict = "pass" | "fail" | "inconclusive" | "unsure";

/**
 * Why a predicting target cannot tell.
 * - `language`: the prompt's language differs from the cards'.
 * - `words`: no card has the prompt's words.
 * - `alone`: the library has one skill.
 * - `near`: two or more cards are about equally near.
 * - `weak`: a card has some of its words, but too few.
 * - `excluded`: it has words of what the card says the skill is not for.
 * - `locked`: it is about a skill that hosts keep from models.
 */
export type UnsureReason = Exclude<UnsureOfAll, "nobody"> | "words" | "near" | "weak" | "excluded" | "locked";

export interface QuestionScore {
  id: string;
  kind: "trigger" | "case";
  /** Its suite's skill, else the one skill it requires or forbids. */
  skill?: string;
  /** Whether `skill` should fire. A question that expects a sibling is a negative of its suite's skill. */
  role: "positive" | "negative";
  positive: boolean;
  ask: string;
  prompt: string;
  name?: string;
  draft?: true;
  /** Set on an agent's case whose skill was loaded in none of its trials. */
  neverLoaded?: true;
  /** On a passing case: graders that could be applied to none of its trials, with the reason. */
  unchecked?: string[];
  /** A model influenced the verdict: the target is a judge, or a judge graded one of its trials. */
  judged?: true;
  /** Fingerprint of what is checked; absent in records without it. */
  checks?: string;
  /** When its trials were measured; earlier than this run for trials from the cache. */
  measuredAt?: { first: string; last: string };
  source: { file: string; line?: number; column?: number };
  tags: string[];
  cross: boolean;
  status: "asked" | "not asked" | "skipped" | "invalid";
  reason?: string;
  verdict: Verdict;
  flaky: boolean;
  /** Number of checks passed (positive) or failed (negative), over all measured trials. */
  hits: number;
  measured: number;
  planned: number;
  trials: number;
  errors: number;
  /** hits / measured; no interval on a deterministic target. */
  rate: Rate;
  /** Counts over the runs that early stopping never cuts. The rates of a skill use these. */
  unbiased: { hits: number; n: number; misfires: number };
  /** Which skill fired first in how many trials, most first; `(none)` if none did. */
  won: { skill: string; trials: number }[];
  /** Failed trials by cause. `cause` is the most frequent one. */
  causes: Partial<Record<Cause, number>>;
  cause?: Cause;
  /** How certain a failure is, from 0 to 1: a prediction's score, else the lower bound of the share of wrong trials. */
  certainty?: number;
  /** What fired, most often first. Unless the question passes: only what was at fault in the trials that went wrong. */
  fired: { skill: string; trials: number; turn: number; evidence: Evidence }[];
  /**
   * On a passing positive: skills that also fired in at least half of its trials and that the suite does not mention.
   */
  beside?: string[];
  expected: string[];
  unsure?: UnsureReason;
  why?: string;
}

/**
 * Why a trial went wrong, as far as the evidence shows: exactly one cause each.
 * `not_as_expected`: the skill fired, but so did a forbidden one, or the order was wrong. `misfire`: a negative's skill
 * fired. `check`: a case's check failed.
 */
export type Cause =
  | "not_shown"
  | "sibling"
  | "unused"
  | "refused"
  | "asked_back"
  | "not_as_expected"
  | "error"
  | "misfire"
  | "check";

export interface Causes {
  misses: { cause: Cause; trials: number; questions: number }[];
  misfires: { skill: string; trials: number; questions: number }[];
}

/** Expected × first counted activation, each trial once. Cells that are 0 are left out. */
export interface Confusion {
  cells: { expected: string; fired: string; trials: number; wrong: number }[];
  later: { expected: string; fired: string; trials: number }[];
}

/**
 * Rows and columns of the matrix that are not skills. `NOT_SAID`: the suite only says what must not fire. `UNSURE`:
 * nothing certainly fired, and the target could not rule out every skill.
 */
export const NONE = "(none)";
export const ERROR = "(error)";
export const NOT_SAID = "(not said)";
export const UNSURE = "(cannot tell)";

export interface Steal {
  thief: string;
  victim: string;
  prompts: number;
  trials: number;
}

export interface TrialStats {
  total: number;
  measured: number;
  /** `raw`: some of these trials left raw output. */
  errors: Partial<Record<ErrorReason, { trials: number; message: string; raw?: true }>>;
  retries: number;
  cached: number;
  oldestCached?: string;
  savedMs: number;
  savedUsd: number;
  /** Cost of the trials asked in this run. `unknown` counts trials whose cost was not reported. */
  cost: { usd: number; known: number; unknown: number; estimated: number };
  /** Means over the trials asked in this run; null if there are none or nothing was reported. */
  perTrial: { ms: number | null; usd: number | null; cpuMs: number | null };
  peakMemoryBytes: number | null;
  tokens: { input: number; output: number };
  askedBecause: { reason: string; trials: number }[];
}

export interface Interval {
  low: number;
  high: number;
}

type Metric = "score" | "triggers" | "cases" | "recall" | "fpr" | "precision" | "f1" | "coverage";

/**
 * A limit on a rate: `[skill:ID] [target:ID] metric>=0.8`, on the estimate or on a bound of its interval
 * (`lower(recall)>=0.7`).
 */
export interface Gate {
  text: string;
  skill?: string;
  target?: string;
  metric: Metric;
  bound: "estimate" | "lower" | "upper";
  operator: ">=" | ">" | "<=" | "<";
  limit: number;
}

/** One gate on one target. `unmeasured` never passes. */
export interface GateResult {
  gate: Gate;
  target: string;
  predicted: boolean;
  status: "met" | "breached" | "unmeasured";
  value: number | null;
  n: number;
  message: string;
}

/** The chance that at least one of k runs of a question is right (pass@k), and that all are (pass^k). */
export interface Attempts {
  k: number;
  /** Questions with at least k runs that early stopping never cuts; the means are over these. */
  n: number;
  prompts: number;
  passAt: number;
  passAtInterval: Interval;
  passAll: number;
  passAllInterval: Interval;
}

/**
 * How a record is scored. Options left out come from the record's header (`options`, same names), then from the
 * defaults.
 */
export type ScoreOptions = Pick<RunSettings, ScoredName & keyof RunSettings>;

export type ResolvedScoreOptions = Required<Omit<ScoreOptions, "gates" | "confidence">> & {
  gates: Gate[];
  confidence: number | null;
};

type ScoredName = { [Name in OptionName]: Table[Name] extends { scored: true } ? Name : never }[OptionName];

export function hasVerdict({ verdict }: Pick<QuestionScore, "verdict">): boolean {
  return verdict === "pass" || verdict === "fail";
}

/** True if only drafts were asked. Questions drafted from a card's own words prove nothing about it. */
export function onlyDrafts({ targets }: Pick<Scores, "targets">): boolean {
  const asked = targets.flatMap(({ questions }) =>
    questions.filter(({ status, cross }) => status === "asked" && !cross),
  );
  return asked.length > 0 && asked.every(({ draft }) => draft === true);
}
