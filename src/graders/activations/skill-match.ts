import type { SkillInvocation } from "../../model/index.ts";

export interface SkillMatch {
  fired: string[];
  forbidden: string[];
  missing: string[];
  extras: string[];
  holds: boolean;
  /** F1 of the required skills, or 1 or 0 if none is required. Forbidden skills do not count. */
  score: number;
}

/**
 * Repeats collapse unless a skill is required twice: agents reload a skill after a long detour, which is neither an
 * extra nor out of order. With `exact_match` they count, as in waza. One skill of `also_fine` stands in for all
 * required ones.
 */
export function matchSkills(config: SkillInvocation, all: readonly string[]): SkillMatch {
  const { required_skills: required, forbidden_skills, also_fine, mode, allow_extra } = config;
  const wanted = tally(required);
  const fired = mode === "exact_match" ? [...all] : collapse(all, wanted);
  const standIns = new Set(also_fine.filter((skill) => !wanted.has(skill)));
  const own = fired.filter((skill) => !standIns.has(skill));
  const extras = without(own, wanted);
  const stoodIn = own.length < fired.length;
  const missing = stoodIn ? [] : without(required, tally(own));
  const overlap = own.length - extras.length;

  // A repeat may be the one that counts (B, A, B has A before B), so `in_order` searches everything that fired.
  const inOrder = () => commonSubsequence(required, mode === "in_order" ? all : own);
  const right = stoodIn ? required.length : mode === "any_order" ? overlap : inOrder();
  const given = (stoodIn ? required.length : overlap) + (allow_extra && mode !== "exact_match" ? 0 : extras.length);
  return {
    fired,
    forbidden: forbidden_skills.filter((skill) => fired.includes(skill)),
    missing,
    extras,
    holds: right === required.length && (mode !== "exact_match" || required.length === 0 || extras.length === 0),
    score: required.length === 0 ? Number(allow_extra || extras.length === 0) : f1(right, given, required.length),
  };
}

function f1(right: number, given: number, wanted: number): number {
  return right === 0 ? 0 : (2 * right) / (given + wanted);
}

function tally(skills: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const skill of skills) counts.set(skill, (counts.get(skill) ?? 0) + 1);
  return counts;
}

function collapse(all: readonly string[], wanted: ReadonlyMap<string, number>): string[] {
  const seen = new Set<string>();
  return all.filter((skill) => {
    if ((wanted.get(skill) ?? 0) > 1) return true;
    if (seen.has(skill)) return false;
    seen.add(skill);
    return true;
  });
}

function without(skills: readonly string[], removed: ReadonlyMap<string, number>): string[] {
  const left = new Map(removed);
  return skills.filter((skill) => {
    const count = left.get(skill) ?? 0;
    if (count > 0) left.set(skill, count - 1);
    return count === 0;
  });
}

function commonSubsequence(a: readonly string[], b: readonly string[]): number {
  let previous = new Array<number>(b.length + 1).fill(0);
  for (const one of a) {
    const current = [0];
    // `!`: `previous` has an entry for each j and one more; `current` grows by one each time.
    for (let j = 0; j < b.length; j++)
      current.push(one === b[j] ? previous[j]! + 1 : Math.max(previous[j + 1]!, current[j]!));
    previous = current;
  }
  return previous.at(-1) ?? 0;
}
