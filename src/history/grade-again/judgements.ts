import type { CheckResult, GraderSpec } from "../../model/index.ts";

export const NEEDS_JUDGE = "it needs a judge (--judge MODEL asks one)";

/**
 * Combines fresh checks with the recorded judgements. A failure needs no judge. Otherwise a judged grader that is new,
 * or that has a statement without a judgement, leaves the case open.
 */
export function withJudgements(
  graded: CheckResult,
  {
    graders,
    judged,
    before,
  }: { graders: readonly GraderSpec[]; judged: readonly GraderSpec[]; before: NonNullable<CheckResult["parts"]> },
  keep: () => void,
): CheckResult {
  const kept = judged.map((spec) => ({ spec, parts: judgementsOf(spec, before) }));
  const parts = [...(graded.parts ?? []), ...kept.flatMap((one) => one.parts)];
  const whole = { ...graded, parts };
  if (graded.passed === false) return whole;
  if (kept.some((one) => one.parts.length === 0 || one.parts.some(({ passed }) => passed === null)))
    return { ...whole, passed: null, score: null, message: `not judged: ${NEEDS_JUDGE}` };
  keep();
  const failed = kept.flatMap((one) => one.parts.filter(({ passed }) => passed === false));
  const [passed, message] =
    failed.length > 0 ? [false, failed.map((part) => part.message).join("; ")] : [graded.passed, graded.message];
  return { ...whole, passed, message, score: meanOf(graded, graders, kept) };
}

function judgementsOf({ type, name, config }: GraderSpec, before: NonNullable<CheckResult["parts"]>) {
  const parts = before.filter(({ grader }) => grader === (name ?? type));
  const { statements, text } = config as { statements?: string[]; text?: string };
  const asked = statements ?? (type === "llm" && text !== undefined ? [text] : undefined);
  if (asked === undefined) return parts;
  const found = asked.flatMap((statement) => parts.find(({ message }) => message.endsWith(`: ${statement}`)) ?? []);
  return found.length === asked.length ? found : [];
}

/** The weighted mean. The score of a judged grader is the share of its statements that hold. */
function meanOf(
  graded: CheckResult,
  graders: readonly GraderSpec[],
  kept: readonly { spec: GraderSpec; parts: NonNullable<CheckResult["parts"]> }[],
): number | null {
  const scores = [
    { weight: weightOf(graders), score: graded.score },
    ...kept.map(({ spec, parts }) => ({
      weight: weightOf([spec]),
      score: parts.filter(({ passed }) => passed === true).length / parts.length,
    })),
  ].flatMap(({ weight, score }) => (score === null ? [] : [{ weight, score }]));
  const total = scores.reduce((sum, { weight }) => sum + weight, 0);
  return total === 0 ? null : scores.reduce((sum, { weight, score }) => sum + weight * score, 0) / total;
}

function weightOf(graders: readonly GraderSpec[]): number {
  return graders.reduce((sum, { weight = 1 }) => sum + weight, 0);
}
