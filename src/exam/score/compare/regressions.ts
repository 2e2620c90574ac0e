import type { Comparison, SkillComparison } from "./comparison.ts";

const LEVEL = 0.05;

export interface Regression {
  skill?: string;
  text: string;
}

/**
 * What got worse beyond noise: the target as a whole, or a skill after correction for the number of skills. Both tests
 * are two-sided and only drops count, so without any change at most one comparison in twenty finds something. On a
 * deterministic target every newly failing question counts.
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

/** Uses as many digits as show on which side of the level it is. */
export function pText(p: number): string {
  const short = p < 0.01 ? p.toPrecision(1) : p.toFixed(2);
  return `p = ${Number(short) === LEVEL ? p.toFixed(3) : short}`;
}
