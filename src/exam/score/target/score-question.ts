import { fingerprint } from "../../../base/index.ts";
import type { ErrorReason, QuestionScore, ResolvedScoreOptions } from "../../../model/index.ts";
import { type AskTallies, type AskTally, siblingsOf, statesOf, winnersOf } from "../tallies/ask-tally.ts";
import { has, measuredRuns, type QuestionTally, RUN, type Run } from "../tallies/question-tally.ts";
import type { TargetTally } from "../tallies/target-tally.ts";
import { type Unsure, whyUnsure } from "../tallies/unsure.ts";
import { mainCause } from "./causes.ts";
import type { RatedQuestion } from "./rates.ts";
import { judge } from "./verdict.ts";
import { whyLine } from "./why.ts";

export interface ScoringContext {
  shared: AskTallies;
  tally: TargetTally;
  options: ResolvedScoreOptions;
  locked: ReadonlySet<string>;
}

export interface AskOutcome {
  measured: number;
  errors: readonly ErrorReason[];
  measuredAt: QuestionScore["measuredAt"];
  won: QuestionScore["won"];
}

export function outcomeOf(ask: AskTally): AskOutcome {
  const { measured, errors } = statesOf(ask);
  const measuredAt = ask.measuredAt && { first: isoTime(ask.measuredAt.first), last: isoTime(ask.measuredAt.last) };
  return { measured, errors, measuredAt, won: winnersOf(ask) };
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

const UNASKED: Pick<AskOutcome, "measured" | "errors" | "won"> = { measured: 0, errors: [], won: [] };

export function scoreQuestion(
  question: QuestionTally,
  ask: AskOutcome,
  { shared, tally, options, locked }: ScoringContext,
): RatedQuestion {
  const { line, role } = question;
  const { deterministic } = tally.target.identity;
  const target = tally.target.id;
  const skipped = line.skipped[target];
  const { measured, errors, won } = skipped === undefined ? ask : UNASKED;
  const trials = measured + errors.length;
  const runs = measuredRuns(question, target);
  const planned = deterministic ? 1 : (line.runs[target] ?? 0);
  const judged = judge(runs, { positive: line.positive, planned, deterministic }, options);
  const unsure =
    runs.length === 0 && question.unsure !== undefined ? behindLock(question.unsure, question, locked) : undefined;
  const causes: QuestionScore["causes"] = { ...question.causes };
  if (errors.length > 0) causes.error = errors.length;
  const { hits, misfires, ...shares } = sharesOf(judged.uncut, question);
  const score: QuestionScore = {
    id: line.id,
    kind: line.kind,
    skill: question.skill,
    role,
    positive: line.positive,
    ask: line.ask,
    prompt: line.prompt,
    name: line.name,
    draft: line.draft,
    neverLoaded: isNeverLoaded(question, tally) ? true : undefined,
    unchecked: judged.verdict === "pass" ? uncheckedIn(question) : undefined,
    judged: question.judged === true || (tally.target.kind === "judge" && runs.length > 0) ? true : undefined,
    checks: line.expect === undefined ? line.checks : printOf(line.expect),
    measuredAt: ask.measuredAt,
    source: line.source,
    tags: line.tags,
    cross: line.cross === true,
    status:
      skipped !== undefined ? "skipped" : line.invalid !== undefined ? "invalid" : trials === 0 ? "not asked" : "asked",
    reason: skipped ?? line.invalid,
    verdict: unsure === undefined ? judged.verdict : "unsure",
    flaky: judged.flaky,
    hits: judged.hits,
    measured: runs.length,
    planned,
    trials,
    errors: errors.length,
    rate: judged.rate,
    unbiased: { hits, n: judged.uncut.length, misfires },
    won,
    causes,
    cause: judged.verdict === "pass" ? undefined : mainCause(causes),
    certainty: judged.verdict === "fail" && unsure === undefined ? certaintyOf(question, judged.rate) : undefined,
    fired: mostOften(judged.verdict === "pass" ? question.firedRightly : question.fired),
    beside: judged.verdict === "pass" ? besideOf(question, shared, runs.length) : undefined,
    expected: line.expect?.required_skills ?? [],
    unsure: unsure?.reason,
  };
  const error = errors[0] === undefined ? undefined : tally.stats.explain(errors[0]);
  const { sample, open } = question;
  const why = unsure === undefined ? whyLine(score, { sample, error, open, locked }) : whyUnsure(unsure);
  if (why !== undefined) score.why = why;
  const { expectsSibling, belongsToSibling } = siblingsOf(question, shared);
  return { score, ...shares, counts: judged.counts, expectsSibling, belongsToSibling };
}

/**
 * Skills the suite does not mention on this prompt. If another question on the ask forbids one, that verdict says so.
 */
function besideOf({ line, firedRightly = [] }: QuestionTally, shared: AskTallies, runs: number): string[] | undefined {
  if (line.kind === "case" || !line.positive || firedRightly.length < 2) return undefined;
  const settled = new Set(
    (shared.get(line.ask)?.questions ?? []).flatMap(({ line: { expect } }) =>
      expect === undefined ? [] : [...expect.required_skills, ...expect.forbidden_skills, ...expect.also_fine],
    ),
  );
  const beside = firedRightly
    .filter(({ skill, trials }) => !settled.has(skill) && trials * 2 >= runs)
    .map(({ skill }) => skill);
  return beside.length === 0 ? undefined : beside;
}

function uncheckedIn({ unchecked = new Map<string, string>() }: QuestionTally): string[] | undefined {
  return unchecked.size === 0
    ? undefined
    : [...unchecked].map(([grader, why]) => (grader === "" ? why : `${grader}: ${why}`));
}

function sharesOf(uncut: readonly Run[], { line: { positive }, role }: QuestionTally) {
  let [hits, misfires, own, first] = [0, 0, 0, 0];
  for (const run of uncut) {
    if (has(run, RUN.passed) === positive) hits++;
    if (has(run, RUN.misfired)) misfires++;
    if (role === "positive" ? has(run, RUN.passed) : has(run, RUN.misfired)) own++;
    if (role === "positive" ? has(run, RUN.firstPassed) : has(run, RUN.firstMisfired)) first++;
  }
  const n = uncut.length;
  return { hits, misfires, hitShare: n === 0 ? null : own / n, firstMoveShare: n === 0 ? null : first / n };
}

/** A card cannot predict what happens to a skill that no model is shown. */
function behindLock(unsure: Unsure, { line: { expect }, skill }: QuestionTally, locked: ReadonlySet<string>): Unsure {
  const named = [skill, ...(expect?.required_skills ?? []), ...(expect?.forbidden_skills ?? [])];
  const closed = named.find((one) => one !== undefined && locked.has(one));
  return closed === undefined ? unsure : { ...unsure, reason: "locked", locked: closed };
}

/** If so, the result says nothing about the skill. Only agents are given skills to load. */
function isNeverLoaded({ line, arm }: QuestionTally, { target }: TargetTally): boolean {
  return (
    target.kind === "agent" && line.kind === "case" && line.skill !== undefined && arm !== undefined && arm.loaded === 0
  );
}

function certaintyOf({ line, sample }: QuestionTally, { value, low, high }: QuestionScore["rate"]): number {
  if (sample?.prediction !== undefined) {
    const { fired, expected } = sample.prediction;
    return rounded(fired?.score ?? 1 - (expected?.score ?? 0));
  }
  return rounded(line.positive ? 1 - (high ?? value ?? 0) : (low ?? value ?? 0));
}

function rounded(share: number): number {
  return Math.round(Math.min(1, Math.max(0, share)) * 1000) / 1000;
}

function mostOften(fired: QuestionTally["fired"] = []): QuestionScore["fired"] {
  return fired
    .map((one) => ({ ...one }))
    .sort((a, b) => b.trials - a.trials || a.turn - b.turn || (a.skill < b.skill ? -1 : 1))
    .slice(0, 10);
}

/** Hashing is slow, and a library has far fewer expectations than questions. */
const prints = new Map<string, string>();

function printOf(expect: object): string {
  const text = JSON.stringify(expect);
  const print = prints.get(text) ?? fingerprint(expect);
  if (prints.size >= 10_000) prints.clear();
  prints.set(text, print);
  return print;
}
