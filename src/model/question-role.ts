import type { SkillInvocation } from "./check.ts";
import type { QuestionLine } from "./line.ts";

export interface QuestionRole {
  skill: string | undefined;
  /** A question that expects a sibling to win is a negative of its own skill. */
  role: "positive" | "negative";
  expectsSibling: boolean;
}

export function roleOf(line: QuestionLine): QuestionRole {
  const { required_skills: required = [], forbidden_skills: forbidden = [] } = line.expect ?? {};
  const skill = line.skill ?? only(required) ?? (required.length === 0 ? only(forbidden) : undefined);
  const silent = skill !== undefined && forbidden.includes(skill) && !required.includes(skill);
  return { skill, role: silent || !line.positive ? "negative" : "positive", expectsSibling: silent && line.positive };
}

/**
 * Narrows a question to one skill, for targets that decide about one skill at a time and cannot tell whether a sibling
 * should win instead. Undefined if the question does not name its skill.
 */
export function aboutOneSkill(line: QuestionLine): { skill: string; expect: SkillInvocation } | undefined {
  if (line.expect === undefined) return undefined;
  const { required_skills: required, forbidden_skills: forbidden } = line.expect;
  const skill = [line.skill, only(required), only(forbidden)].find(
    (name) => name !== undefined && (required.includes(name) || forbidden.includes(name)),
  );
  if (skill === undefined) return undefined;
  const own = (names: string[]) => names.filter((name) => name === skill);
  return {
    skill,
    expect: {
      required_skills: own(required),
      forbidden_skills: own(forbidden),
      also_fine: [],
      mode: "any_order",
      allow_extra: true,
    },
  };
}

function only(names: string[]): string | undefined {
  return names.length === 1 ? names[0] : undefined;
}
