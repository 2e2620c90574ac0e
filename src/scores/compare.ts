import type { QuestionScore, Scores } from "./scores.ts";
import { clustersOf } from "./statistics/clusters.ts";
import { type PairedDifference, signFlip } from "./statistics/sign-flip.ts";

/** What became of the questions that a target answered in two runs, with a verdict in both. */
export interface Comparison {
  target: string;
  /** Questions that were asked and checked alike, and measured anew; and how many prompts they are on. */
  n: number;
  prompts: number;
  passed: { before: number; now: number };
  /** As they are now. */
  improved: QuestionScore[];
  worsened: QuestionScore[];
  /** Skills of which more or fewer questions pass than before. */
  skills: { skill: string; n: number; before: number; now: number }[];
  /** Questions that are left out, because the two runs have nothing to tell about them. */
  leftOut: {
    /** Answered by the very trials that the earlier run has: from the cache, or graded again. */
    sameAnswers: number;
    /** With other files, earlier messages or limits. */
    askedOtherwise: number;
    checkedOtherwise: number;
  };
  /** The share of runs that come out right, now less then. null on a target that answers the same each time, and where nothing was measured anew. */
  difference: PairedDifference | null;
}

interface Pair {
  earlier: QuestionScore;
  question: QuestionScore;
}

/** null when the two have no question in common. A question whose prompt or label was edited is another one. */
export function compareRuns(before: Scores, now: Scores, target: string): Comparison | null {
  const [then, today] = [before, now].map(({ targets }) => targets.find(({ id }) => id === target));
  if (then === undefined || today === undefined) return null;
  const known = new Map(then.questions.filter(decided).map((question) => [question.id, question]));
  const common = today.questions.filter(decided).flatMap((question) => {
    const earlier = known.get(question.id);
    return earlier !== undefined && sameQuestion(earlier, question) ? [{ earlier, question }] : [];
  });
  if (common.length === 0) return null;
  const sameSuite = before.run.suite.fingerprint === now.run.suite.fingerprint;
  const pairs: Pair[] = [];
  const leftOut = { sameAnswers: 0, askedOtherwise: 0, checkedOtherwise: 0 };
  for (const pair of common) {
    const why = whyLeftOut(pair, sameSuite, today.deterministic);
    if (why === undefined) pairs.push(pair);
    else leftOut[why]++;
  }
  return {
    target,
    n: pairs.length,
    prompts: new Set(pairs.map(({ question }) => question.ask)).size,
    passed: {
      before: pairs.filter(({ earlier }) => passes(earlier)).length,
      now: pairs.filter(({ question }) => passes(question)).length,
    },
    improved: pairs.filter(({ earlier, question }) => !passes(earlier) && passes(question)).map(({ question }) => question),
    worsened: pairs.filter(({ earlier, question }) => passes(earlier) && !passes(question)).map(({ question }) => question),
    skills: skillsOf(pairs),
    leftOut,
    difference: today.deterministic ? null : differenceOf(pairs),
  };
}

/** The paired test over asks: questions on one ask share its trials, so they change together. */
function differenceOf(pairs: readonly Pair[]): PairedDifference | null {
  const changes = pairs.map(({ earlier, question }) => ({ ask: question.ask, hits: rightShare(question) - rightShare(earlier) }));
  return signFlip([...clustersOf(changes).values()].map(({ n, hits }) => ({ n, change: hits })));
}

/** Over the runs that early stopping never cuts: a share of runs that were added because the first ones disagreed would be biased. */
function rightShare({ positive, unbiased: { hits, n } }: QuestionScore): number {
  const share = n === 0 ? 0 : hits / n;
  return positive ? share : 1 - share;
}

function whyLeftOut({ earlier, question }: Pair, sameSuite: boolean, deterministic: boolean): keyof Comparison["leftOut"] | undefined {
  if (earlier.ask !== question.ask) return "askedOtherwise";
  const unknown = earlier.checks === undefined || question.checks === undefined;
  if (unknown ? !sameSuite : earlier.checks !== question.checks) return "checkedOtherwise";
  return deterministic || measuredAnew(earlier, question) ? undefined : "sameAnswers";
}

function measuredAnew(earlier: QuestionScore, question: QuestionScore): boolean {
  return earlier.measuredAt !== undefined && question.measuredAt !== undefined && question.measuredAt.first > earlier.measuredAt.last;
}

function skillsOf(pairs: readonly Pair[]): Comparison["skills"] {
  const skills = new Map<string, Comparison["skills"][number]>();
  for (const { earlier, question } of pairs) {
    const skill = question.skill ?? "library";
    const sum = skills.get(skill) ?? { skill, n: 0, before: 0, now: 0 };
    skills.set(skill, { skill, n: sum.n + 1, before: sum.before + Number(passes(earlier)), now: sum.now + Number(passes(question)) });
  }
  return [...skills.values()].filter((one) => one.before !== one.now);
}

function passes({ verdict }: QuestionScore): boolean {
  return verdict === "pass";
}

function decided({ verdict }: QuestionScore): boolean {
  return verdict === "pass" || verdict === "fail";
}

function sameQuestion(a: QuestionScore, b: QuestionScore): boolean {
  return a.prompt === b.prompt && a.positive === b.positive && a.expected.join("\0") === b.expected.join("\0");
}
