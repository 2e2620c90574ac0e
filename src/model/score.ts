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
  /** Absent while it runs, or when it was killed. */
  endedAt?: string;
  how: "complete" | "interrupted" | "stopped" | "unfinished";
  /** It has no end yet because a process is writing it. */
  goesOn?: true;
  /** Lines that are damaged or missing, with their place: what is scored is the rest. */
  damage?: string[];
  library: { name: string; root: string; fingerprint: string; skills: number };
  suite: { fingerprint: string; files: string[] };
  git?: { commit: string; dirty?: boolean };
  partial?: string[];
  /** What was given to choose questions, relative to the library's root; absent when nothing was. */
  paths?: string[];
  /** The flags that a command must repeat to mean the same exam. */
  said: string[];
  /** Each suite was put to its own targets, because nobody was named. */
  ownTargets?: true;
  shard?: { index: number; count: number };
  /** Of a merged run: the shards that were not among its records. */
  missingShards?: number[];
  /** What it was not to pass. */
  limits: { usd?: number; tokens?: number; trials?: number };
  notAsked: Record<string, number>;
  saved: { trials: number; usd?: number };
  /** What was edited while it ran; all of its trials saw it as it was before. */
  changed?: string[];
}

/** What was planned, whatever the target. */
export interface PlanSummary {
  questions: number;
  /** Different ones, with their files and earlier messages. */
  prompts: number;
  positive: number;
  negative: number;
  cases: number;
  invalid: number;
  /** On every target. */
  skipped: number;
  /** Made by a tool, and edited by nobody since. */
  drafts: number;
  /** Skills of the library that no question is about: nothing is known of them. */
  skillsWithoutQuestions: string[];
  negatives: NegativeHardness;
}

/** Mistakes happen between neighbours: a negative that belongs to nobody is easy. */
export interface NegativeHardness {
  negatives: number;
  /** They say which sibling should win. */
  expectSibling: number;
  /** The same prompt is a positive of a sibling. */
  belongToSibling: number;
  /** Either. */
  hard: number;
}

/** A share of n questions (or trials) with its 95 % interval. 0/0 is null and shown as "—"; no interval where there is nothing to estimate. */
export interface Rate {
  value: number | null;
  n: number;
  /** How many different prompts (asks) the n questions are on. Questions that share one are not independent, and the interval knows. */
  prompts: number;
  low: number | null;
  high: number | null;
}

export interface Rates {
  /** Share of questions passed, triggers and cases together and apart. */
  score: Rate;
  triggers: Rate;
  cases: Rate;
  recall: Rate;
  fpr: Rate;
  precision: Rate;
  f1: Rate;
  /** The same, had only the first move counted. */
  firstMove: { recall: Rate; fpr: Rate };
  flaky: number;
  coverage: Coverage;
}

export interface Coverage {
  /** Not skipped on this target. */
  planned: number;
  verdicts: number;
  skipped: number;
  /** Why planned questions have no verdict. */
  missing: { invalid: number; notAsked: number; errors: number; undecided: number; unsure: number };
}

export interface SkillScores extends Rates {
  skill: string;
  negatives: NegativeHardness & { nearestSibling?: string };
  /** Siblings whose prompts this skill took, most first. */
  takesFrom: { skill: string; prompts: number; trials: number }[];
}

export interface TargetScores {
  id: string;
  kind: string;
  predicted: boolean;
  deterministic: boolean;
  note?: string;
  identity: HeaderLine["targets"][number]["identity"];
  /** Over all questions (micro), and the plain mean over skills (macro). */
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
  /** Of a target that predicts and knows what it does not know: how many questions it could not tell, by reason, most first. */
  unsure: { reason: UnsureReason; questions: number }[];
  trials: TrialStats;
  /** pass@k and pass^k; empty on a target that answers the same each time. */
  attempts: Attempts[];
  /** With --baseline: what the skill adds to its cases. */
  lift?: Lift;
}

/** One side of a comparison. */
export interface LiftArm {
  /** Of the runs that were measured. */
  passed: number;
  runs: number;
  rate: number | null;
  /** Of a trial, on average; null = not known. */
  usd: number | null;
  ms: number | null;
  /** Trials in which the skill was loaded, of all. */
  loaded: number;
  trials: number;
}

/** A case with its skill and without, or with another version of it. */
export interface CaseLift {
  question: string;
  name?: string;
  skill?: string;
  with: LiftArm;
  without: LiftArm;
  /** Between the shares of runs that passed, with its 95 % interval; null where fewer than half of the runs were measured on a side. */
  difference: number | null;
  low: number | null;
  high: number | null;
  mark: "helps" | "harms" | "passes both ways" | "fails both ways" | "not compared";
}

export interface Lift {
  /** What it was compared with. */
  label: string;
  cases: CaseLift[];
  /** Cases that were compared, and how many prompts they are on; the difference is the mean of cases, and the interval is over prompts (over runs, where there is one prompt). */
  n: number;
  prompts: number;
  difference: number | null;
  low: number | null;
  high: number | null;
  with: Omit<LiftArm, "passed" | "runs">;
  without: Omit<LiftArm, "passed" | "runs">;
}

/** `unsure`: the target predicts, and says that it cannot tell. That is no failure, and in no rate. */
export type Verdict = "pass" | "fail" | "inconclusive" | "unsure";

/**
 * Why a predicting target cannot tell. `language`: the prompt is in another language than the cards. `words`: no card has its words. `alone`: the library has one
 * skill. `near`: two or more cards are about as near. `weak`: a card has some of its words, and too few. `excluded`: it has words of what the card says the skill is
 * not for. `locked`: it is about a skill that hosts keep from models.
 */
export type UnsureReason = Exclude<UnsureOfAll, "nobody"> | "words" | "near" | "weak" | "excluded" | "locked";

/** One planned question on one target. */
export interface QuestionScore {
  id: string;
  kind: "trigger" | "case";
  /** Whose question it is: its suite's skill, else the one skill it requires or forbids. */
  skill?: string;
  /** For that skill: should it fire? A question that expects a sibling instead is a negative of its suite's skill. */
  role: "positive" | "negative";
  positive: boolean;
  /** The key of what is put to a target: questions with the same share its trials. */
  ask: string;
  prompt: string;
  /** A case's name in its suite. */
  name?: string;
  /** A tool wrote it, and nobody has reviewed it. */
  draft?: true;
  /** Of a case on an agent: its skill was loaded in none of its trials. */
  neverLoaded?: true;
  /** Of a case that passes: graders that could be applied to none of its trials, each with the reason. */
  unchecked?: string[];
  /** A model had a say in its verdict: the target is a judge, or a judge was asked about one of its trials. */
  judged?: true;
  /** A fingerprint of what is checked; absent where the record does not say. */
  checks?: string;
  /** When its trials were measured, be it in this run or, where they come from the cache, before. */
  measuredAt?: { first: string; last: string };
  source: { file: string; line?: number; column?: number };
  tags: string[];
  cross: boolean;
  status: "asked" | "not asked" | "skipped" | "invalid";
  /** Why it was skipped or is invalid. */
  reason?: string;
  verdict: Verdict;
  flaky: boolean;
  /** Of a positive: checks passed. Of a negative: checks failed. Over all measured trials. */
  hits: number;
  measured: number;
  planned: number;
  /** Trials in the record, errors among them. */
  trials: number;
  errors: number;
  /** hits / measured; no interval on a deterministic target. */
  rate: Rate;
  /** Over the runs that early stopping never cuts, which the rates of a skill are made of. */
  unbiased: { hits: number; n: number; misfires: number };
  /** Who fired first on its prompt, in how many trials, most first; `(none)` is nobody. */
  won: { skill: string; trials: number }[];
  /** The trials that went wrong, by cause; the most frequent one first is the question's cause. */
  causes: Partial<Record<Cause, number>>;
  cause?: Cause;
  /** Of a failure, 0 to 1: how surely it fails. Of a prediction, its score; else the share of wrong trials that its interval allows at least. */
  certainty?: number;
  /** What fired, most often first: of a question that passed in all its trials, otherwise what was at fault in those that went wrong. */
  fired: { skill: string; trials: number; turn: number; evidence: Evidence }[];
  /** Of a positive that passes: what fired as well in at least half of its trials, of which the suite says nothing; absent where nothing did. */
  beside?: string[];
  /** What should have fired, for the question's failure line. */
  expected: string[];
  /** Of a question that the target could not tell: why. */
  unsure?: UnsureReason;
  /** One line built from the evidence, for questions that failed or have no verdict. */
  why?: string;
}

/**
 * Why a trial went wrong, as far as the evidence goes: exactly one each.
 * `not_as_expected`: the skill fired, but so did one that must not, or in another order. `misfire`: a negative's skill fired. `check`: a case's check failed.
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
  /** Trials of positives that missed, each in one cause. */
  misses: { cause: Cause; trials: number; questions: number }[];
  /** What fired where it should not have, most first. */
  misfires: { skill: string; trials: number; questions: number }[];
}

/** Expected × first counted activation; every trial once. Only cells that are not 0. */
export interface Confusion {
  cells: { expected: string; fired: string; trials: number; wrong: number }[];
  /** Activations after the first of a trial. */
  later: { expected: string; fired: string; trials: number }[];
}

/** Rows and columns of the matrix that are no skill. `NOT_SAID`: the suite only says what must not fire. */
export const NONE = "(none)";
export const ERROR = "(error)";
export const NOT_SAID = "(not said)";
/** Nothing certainly fired, and the target could not tell for every skill that it stays silent. */
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
  /** Attempts beyond the first. */
  retries: number;
  cached: number;
  oldestCached?: string;
  savedMs: number;
  savedUsd: number;
  /** Of what was asked in this run. `unknown`: trials whose cost nobody reported. */
  cost: { usd: number; known: number; unknown: number; estimated: number };
  /** Mean per trial that was asked in this run; null = none, or not known. */
  perTrial: { ms: number | null; usd: number | null; cpuMs: number | null };
  /** Of the trial that needed most; null = none was measured. */
  peakMemoryBytes: number | null;
  tokens: { input: number; output: number };
  askedBecause: { reason: string; trials: number }[];
}

export interface Interval {
  low: number;
  high: number;
}

type Metric = "score" | "triggers" | "cases" | "recall" | "fpr" | "precision" | "f1" | "coverage";

/** A limit on a rate: `[skill:ID] [target:ID] metric>=0.8`, on the estimate or on a bound of its interval (`lower(recall)>=0.7`). */
export interface Gate {
  text: string;
  skill?: string;
  target?: string;
  metric: Metric;
  bound: "estimate" | "lower" | "upper";
  operator: ">=" | ">" | "<=" | "<";
  limit: number;
}

/** One gate on one target. `unmeasured` is never green: there was nothing to hold against it. */
export interface GateResult {
  gate: Gate;
  target: string;
  predicted: boolean;
  status: "met" | "breached" | "unmeasured";
  value: number | null;
  n: number;
  message: string;
}

/** How often k runs of a question would have one that is right (pass@k), and how often all of them (pass^k). */
export interface Attempts {
  k: number;
  /** Questions with at least k runs that early stop never cuts; the means are over these. */
  n: number;
  prompts: number;
  passAt: number;
  passAtInterval: Interval;
  passAll: number;
  passAllInterval: Interval;
}

/** How a record is scored. What is left out is taken from the record's header (`options`, same names), then from the defaults. */
export type ScoreOptions = Pick<RunSettings, ScoredName & keyof RunSettings>;

export type ResolvedScoreOptions = Required<Omit<ScoreOptions, "gates" | "confidence">> & {
  gates: Gate[];
  confidence: number | null;
};

type ScoredName = { [Name in OptionName]: Table[Name] extends { scored: true } ? Name : never }[OptionName];

/** It passed or failed. */
export function hasVerdict({ verdict }: Pick<QuestionScore, "verdict">): boolean {
  return verdict === "pass" || verdict === "fail";
}

/** Was nothing asked but what a tool drafted? A card that is quizzed with its own words shows nothing. */
export function onlyDrafts({ targets }: Pick<Scores, "targets">): boolean {
  const asked = targets.flatMap(({ questions }) =>
    questions.filter(({ status, cross }) => status === "asked" && !cross),
  );
  return asked.length > 0 && asked.every(({ draft }) => draft === true);
}
