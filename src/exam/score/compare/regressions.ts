import type { Comparison, SkillComparison } from "./comparison.ts";

/** Beyond noise: chance alone would change as much less often than once in twenty. */
const LEVEL = 0.05;

export interface Regression {
  /** undefined: the target as a whole. */
  skill?: string;
  text: string;
}

/**
 * What got worse beyond noise: the target as a whole, or a skill after correction for their number. Both tests are two-sided, and only drops count, so where nothing
 * changed one of the two is found at most once in twenty comparisons. On a target without noise every question that fails now is one.
 */
export function regressions(comparison: Comparison): Regression[] {
  const { deterministic, worsened, difference, skills, n } = comparison;
  if (deterministic)
    return worsened.length === 0
      ? []
      : [
          {
            text: `${worsened.length} of ${n} ${n === 1 ? "question" : "questions"} passed before and ${worsened.length === 1 ? "fails" : "fail"} now`,
          },
        ];
  const found: Regression[] = [];
  if (difference !== null && dropped(difference.value, difference.p))
    found.push({ text: textOf(difference.value, difference.p) });
  for (const { skill, difference: own, adjusted } of skills) {
    if (own !== null && adjusted !== null && dropped(own.value, adjusted))
      found.push({ skill, text: textOf(own.value, adjusted) });
  }
  return found;
}

/** Which way something went beyond noise; undefined where that cannot be said. */
export function directionOf({
  difference,
  adjusted,
}: Pick<SkillComparison, "difference" | "adjusted">): "better" | "worse" | undefined {
  if (difference === null || adjusted === null || adjusted >= LEVEL) return undefined;
  return difference.value < 0 ? "worse" : "better";
}

function dropped(value: number, p: number): boolean {
  return value < 0 && p < LEVEL;
}

function textOf(value: number, p: number): string {
  return `the share of right runs fell by ${Math.round(-value * 100)} points (${pText(p)})`;
}

/** With as many digits as tell on which side of the level it is. */
export function pText(p: number): string {
  const short = p < 0.01 ? p.toPrecision(1) : p.toFixed(2);
  return `p = ${Number(short) === LEVEL ? p.toFixed(3) : short}`;
}
