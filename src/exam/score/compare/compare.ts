import { NONE, type QuestionScore, type Scores, type TargetScores } from "../../../model/index.ts";
import { clustersOf } from "../statistics/clusters.ts";
import { holm, mcnemar, type PairedDifference, signFlip } from "../statistics/paired-tests.ts";
import type { Comparison, Flow, LeftOut, PairedRate, SkillComparison } from "./comparison.ts";
import { designOf, rightRuns } from "./design.ts";

interface PairedQuestion {
  earlier: QuestionScore;
  question: QuestionScore;
}

/** Null if the two have no question in common. A question whose prompt or label was edited is a different one. */
export function compareRuns(before: Scores, now: Scores, target: string): Comparison | null {
  const then = before.targets.find(({ id }) => id === target);
  const today = now.targets.find(({ id }) => id === target);
  if (then === undefined || today === undefined) return null;
  const comparison = compareTargets(then, today, before.run.suite.fingerprint === now.run.suite.fingerprint);
  const { n, leftOut, unsure } = comparison;
  const told = unsure.lost.length + unsure.pass.length + unsure.fail.length;
  return n + told + leftOut.sameAnswers + leftOut.askedOtherwise + leftOut.checkedOtherwise === 0 ? null : comparison;
}

/** `sameSuite`: both runs checked everything in the same way. */
export function compareTargets(then: TargetScores, today: TargetScores, sameSuite: boolean): Comparison {
  const { pairs, unsure, lost, unaskable, leftOut, only } = pairsOf(then, today, sameSuite);
  const noisy = !today.deterministic;
  const improved = pairs.filter(({ earlier, question }) => !passes(earlier) && passes(question));
  const worsened = pairs.filter(({ earlier, question }) => passes(earlier) && !passes(question));
  return {
    target: today.id,
    against: then.id,
    predicted: today.predicted,
    deterministic: today.deterministic,
    n: pairs.length,
    prompts: promptsOf(pairs),
    passed: {
      before: count(pairs, ({ earlier }) => passes(earlier)),
      now: count(pairs, ({ question }) => passes(question)),
    },
    improved: improved.map(({ question }) => question),
    worsened: worsened.map(({ question }) => question),
    skills: skillsOf(pairs, noisy),
    rates: {
      recall: rateOf(ofRole(pairs, "positive"), hitShare, noisy),
      fpr: rateOf(ofRole(pairs, "negative"), misfireShare, noisy),
    },
    flow: flowOf(pairs),
    newThefts: newThefts(pairs),
    unsure,
    lost,
    unaskable,
    leftOut,
    only,
    difference: noisy ? differenceOf(pairs, rightShare) : null,
    verdicts: noisy && pairs.length > 0 ? verdictsOf(pairs) : null,
    design: noisy
      ? designOf(
          pairs.map(({ earlier }) => rightRuns(earlier)),
          pairs.map(({ question }) => rightRuns(question)),
        )
      : null,
  };
}

function pairsOf(
  then: TargetScores,
  today: TargetScores,
  sameSuite: boolean,
): { pairs: PairedQuestion[] } & Pick<Comparison, "unsure" | "lost" | "unaskable" | "leftOut" | "only"> {
  const earlier = new Map(then.questions.map((question) => [question.id, question]));
  const cached = then.trials.cached + today.trials.cached > 0;
  const pairs: PairedQuestion[] = [];
  const unsure: Comparison["unsure"] = { lost: [], pass: [], fail: [] };
  const lost: QuestionScore[] = [];
  const unaskable: QuestionScore[] = [];
  const only: Comparison["only"] = { before: [], now: [] };
  const leftOut: LeftOut = {
    sameAnswers: 0,
    askedOtherwise: 0,
    checkedOtherwise: 0,
    relabelled: 0,
    unsure: 0,
    noVerdict: 0,
  };
  for (const question of today.questions) {
    const before = earlier.get(question.id);
    if (before === undefined || before.prompt !== question.prompt) {
      if (isAsked(question)) only.now.push(question);
      continue;
    }
    earlier.delete(question.id);
    const pair = { earlier: before, question };
    if (!isAsked(before) || !isAsked(question)) {
      if (isAsked(question)) only.now.push(question);
      if (isAsked(before) && question.status === "invalid") {
        unaskable.push(question);
        if (passes(before)) lost.push(question);
      } else if (isAsked(before)) only.before.push(before);
      continue;
    }
    const why = whyLeftOut(pair, { sameSuite, cached, deterministic: today.deterministic });
    if (why === undefined) pairs.push(pair);
    else leftOut[why]++;
    if ((why === "unsure" || why === "noVerdict") && passes(before)) lost.push(question);
    if (why !== "unsure") continue;
    if (passes(before)) unsure.lost.push(question);
    else if (question.verdict === "pass" || question.verdict === "fail") unsure[question.verdict].push(question);
  }
  for (const question of earlier.values()) if (isAsked(question)) only.before.push(question);
  return { pairs, unsure, lost, unaskable, leftOut, only };
}

/** A question skipped on a target, or invalid in its library, does not belong to that target. */
function isAsked({ status }: QuestionScore): boolean {
  return status !== "skipped" && status !== "invalid";
}

interface ComparisonContext {
  sameSuite: boolean;
  cached: boolean;
  deterministic: boolean;
}

function whyLeftOut(
  pair: PairedQuestion,
  { sameSuite, cached, deterministic }: ComparisonContext,
): keyof LeftOut | undefined {
  const { earlier, question } = pair;
  if (!sameLabel(earlier, question)) return "relabelled";
  if (earlier.verdict === "unsure" || question.verdict === "unsure") return "unsure";
  if (!decided(earlier) || !decided(question)) return "noVerdict";
  if (earlier.ask !== question.ask) return "askedOtherwise";
  const unknown = earlier.checks === undefined || question.checks === undefined;
  if (unknown ? !sameSuite : earlier.checks !== question.checks) return "checkedOtherwise";
  return deterministic || measuredAnew(pair, cached) ? undefined : "sameAnswers";
}

/**
 * Two runs may be made at the same time. They share answers only through a cache or by grading the same trials again.
 */
function measuredAnew(
  { earlier: { measuredAt: then }, question: { measuredAt: now } }: PairedQuestion,
  cached: boolean,
): boolean {
  if (then === undefined || now === undefined) return false;
  if (now.first > then.last || then.first > now.last) return true;
  return !cached && now.first !== then.first;
}

function differenceOf(
  pairs: readonly PairedQuestion[],
  share: (question: QuestionScore) => number,
): PairedDifference | null {
  const changes = pairs.map(({ earlier, question }) => ({ ask: question.ask, hits: share(question) - share(earlier) }));
  return signFlip([...clustersOf(changes).values()].map(({ n, hits }) => ({ n, change: hits })));
}

/** Uses the runs that early stopping never cuts. Runs added because the first ones disagreed would bias the share. */
function hitShare({ unbiased: { hits, n } }: QuestionScore): number {
  return n === 0 ? 0 : hits / n;
}

function rightShare(question: QuestionScore): number {
  return question.positive ? hitShare(question) : 1 - hitShare(question);
}

function misfireShare({ unbiased: { misfires, n } }: QuestionScore): number {
  return n === 0 ? 0 : misfires / n;
}

function ofRole(pairs: readonly PairedQuestion[], role: QuestionScore["role"]): PairedQuestion[] {
  return pairs.filter(({ question }) => question.kind === "trigger" && question.role === role);
}

function rateOf(
  pairs: readonly PairedQuestion[],
  share: (question: QuestionScore) => number,
  noisy: boolean,
): PairedRate {
  const mean = (which: keyof PairedQuestion) =>
    pairs.length === 0 ? null : pairs.reduce((sum, pair) => sum + share(pair[which]), 0) / pairs.length;
  return {
    n: pairs.length,
    prompts: promptsOf(pairs),
    before: mean("earlier"),
    now: mean("question"),
    difference: noisy ? differenceOf(pairs, share) : null,
  };
}

function verdictsOf(pairs: readonly PairedQuestion[]): NonNullable<Comparison["verdicts"]> {
  const changes = clustersOf(
    pairs.map(({ earlier, question }) => ({
      ask: question.ask,
      hits: Number(passes(question)) - Number(passes(earlier)),
    })),
  );
  const net = [...changes.values()].map(({ hits }) => hits);
  const better = net.filter((one) => one > 0).length;
  const worse = net.filter((one) => one < 0).length;
  return { better, worse, p: mcnemar(better, worse) };
}

function skillsOf(pairs: readonly PairedQuestion[], noisy: boolean): SkillComparison[] {
  const bySkill = new Map<string, PairedQuestion[]>();
  for (const pair of pairs) {
    const skill = pair.question.skill ?? "library";
    const known = bySkill.get(skill);
    if (known === undefined) bySkill.set(skill, [pair]);
    else known.push(pair);
  }
  const skills = [...bySkill].map(([skill, own]) => ({
    skill,
    n: own.length,
    prompts: promptsOf(own),
    before: count(own, ({ earlier }) => passes(earlier)),
    now: count(own, ({ question }) => passes(question)),
    difference: noisy ? differenceOf(own, rightShare) : null,
  }));
  const adjusted = holm(skills.map(({ difference }) => difference?.p ?? 1));
  return skills.map((skill, index) => ({
    ...skill,
    adjusted: skill.difference === null ? null : (adjusted[index] ?? null),
  }));
}

export function winnerOf({ won }: QuestionScore): string {
  return won[0]?.skill ?? NONE;
}

function flowOf(pairs: readonly PairedQuestion[]): Flow[] {
  const asks = new Map<string, Flow>();
  const flows = new Map<string, Flow>();
  for (const { earlier, question } of pairs) {
    const [from, to] = [winnerOf(earlier), winnerOf(question)];
    if (from === to) continue;
    const key = `${from}\0${to}`;
    const flow = flows.get(key) ?? { from, to, prompts: 0, improved: 0, worsened: 0 };
    flows.set(key, flow);
    if (!asks.has(question.ask)) flow.prompts++;
    asks.set(question.ask, flow);
    if (passes(question) && !passes(earlier)) flow.improved++;
    if (!passes(question) && passes(earlier)) flow.worsened++;
  }
  return [...flows.values()].sort((a, b) => b.prompts - a.prompts || (a.from + a.to < b.from + b.to ? -1 : 1));
}

function newThefts(pairs: readonly PairedQuestion[]): Comparison["newThefts"] {
  const found = new Map<string, Comparison["newThefts"][number]>();
  for (const { earlier, question } of pairs) {
    const thief = thiefOf(question);
    if (thief !== undefined && thiefOf(earlier) === undefined && !found.has(question.ask))
      found.set(question.ask, { thief, question });
  }
  return [...found.values()];
}

function thiefOf({ positive, verdict, cause, fired }: QuestionScore): string | undefined {
  return positive && verdict === "fail" && cause === "sibling" ? fired[0]?.skill : undefined;
}

function promptsOf(pairs: readonly PairedQuestion[]): number {
  return new Set(pairs.map(({ question }) => question.ask)).size;
}

function count(pairs: readonly PairedQuestion[], holds: (pair: PairedQuestion) => boolean): number {
  return pairs.filter(holds).length;
}

function passes({ verdict }: QuestionScore): boolean {
  return verdict === "pass";
}

function decided({ verdict }: QuestionScore): boolean {
  return verdict === "pass" || verdict === "fail";
}

function sameLabel(a: QuestionScore, b: QuestionScore): boolean {
  return a.positive === b.positive && a.expected.join("\0") === b.expected.join("\0");
}
