import type { QuestionScore, TargetScores } from "./scores.ts";
import { mcnemar } from "./statistics/mcnemar.ts";

/** What became of the questions that a target answered in two runs, with a verdict in both. */
export interface Comparison {
  target: string;
  n: number;
  passed: { before: number; now: number };
  /** As they are now. */
  improved: QuestionScore[];
  worsened: QuestionScore[];
  /** Skills of which more or fewer questions pass than before. */
  skills: { skill: string; n: number; before: number; now: number }[];
  /** How likely chance alone changes as many verdicts this unevenly; null on a target that answers the same each time. */
  p: number | null;
}

/** null when the two have no question in common. A question whose prompt or label was edited is another one. */
export function compareTargets(before: TargetScores, now: TargetScores): Comparison | null {
  const known = new Map(before.questions.filter(decided).map((question) => [question.id, question]));
  const pairs = now.questions.filter(decided).flatMap((question) => {
    const earlier = known.get(question.id);
    return earlier !== undefined && sameQuestion(earlier, question) ? [{ earlier, question }] : [];
  });
  if (pairs.length === 0) return null;
  const passes = ({ verdict }: QuestionScore) => verdict === "pass";
  const improved = pairs.filter(({ earlier, question }) => !passes(earlier) && passes(question)).map(({ question }) => question);
  const worsened = pairs.filter(({ earlier, question }) => passes(earlier) && !passes(question)).map(({ question }) => question);
  const skills = new Map<string, Comparison["skills"][number]>();
  for (const { earlier, question } of pairs) {
    const skill = question.skill ?? "library";
    const sum = skills.get(skill) ?? { skill, n: 0, before: 0, now: 0 };
    skills.set(skill, { skill, n: sum.n + 1, before: sum.before + Number(passes(earlier)), now: sum.now + Number(passes(question)) });
  }
  return {
    target: now.id,
    n: pairs.length,
    passed: {
      before: pairs.filter(({ earlier }) => passes(earlier)).length,
      now: pairs.filter(({ question }) => passes(question)).length,
    },
    improved,
    worsened,
    skills: [...skills.values()].filter((one) => one.before !== one.now),
    p: now.deterministic ? null : mcnemar(improved.length, worsened.length),
  };
}

function decided({ verdict }: QuestionScore): boolean {
  return verdict !== "inconclusive";
}

function sameQuestion(a: QuestionScore, b: QuestionScore): boolean {
  return a.prompt === b.prompt && a.positive === b.positive && a.expected.join("\0") === b.expected.join("\0");
}
