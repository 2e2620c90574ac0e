import { nearest } from "../../base/index.ts";
import { namesOf } from "../../exam/find/index.ts";
import type { Library, Question, SkillInvocation } from "../../model/index.ts";

export interface Label {
  skill?: string;
  shouldTrigger?: boolean;
  expect?: string[];
  /** No skill should be activated: `stated` outright, a `blank` value, or `neither` of the compared skills. */
  nobody?: "stated" | "blank" | "neither";
  forbidden: string[];
  alsoFine: string[];
  exclusive?: boolean;
}

export function expectation(label: Partial<Label>): SkillInvocation {
  const { skill, shouldTrigger, expect = [], nobody, exclusive = false } = label;
  const required = new Set(expect);
  const forbidden = new Set(label.forbidden);
  const alsoFine = (label.alsoFine ?? []).filter((name) => !required.has(name));
  if (skill !== undefined && shouldTrigger === true && required.size === 0) required.add(skill);
  if (skill !== undefined && shouldTrigger === false && !alsoFine.includes(skill)) {
    // "Should not trigger, expected: itself" names the skill under test, which cannot be both.
    required.delete(skill);
    forbidden.add(skill);
  }
  for (const name of required) forbidden.delete(name);
  const none = nobody !== undefined && required.size === 0;
  return {
    required_skills: [...required],
    forbidden_skills: none ? [] : [...forbidden],
    also_fine: [...new Set(alsoFine)],
    mode: "any_order",
    allow_extra: !(none || exclusive),
  };
}

export function checksNothing({ required_skills, forbidden_skills, allow_extra }: SkillInvocation): boolean {
  return required_skills.length === 0 && forbidden_skills.length === 0 && allow_extra;
}

export function isPositive(question: Question): boolean {
  return question.kind === "case" || question.expect.required_skills.length > 0;
}

/** Resolves names to skill ids. An unknown or ambiguous name makes the question invalid. */
export function resolveExpect(
  expect: SkillInvocation,
  library: Library,
  near?: string,
): SkillInvocation | { invalid: string } {
  const reasons: string[] = [];
  const resolveAll = (names: string[]) =>
    names.map((name) => {
      const found = namesOf(library).resolve(name, near);
      if (found !== undefined && "skill" in found) return found.skill.id;
      reasons.push(
        found === undefined
          ? unknownName(name, library)
          : `"${name}" is ambiguous: ${found.ambiguous.map((skill) => skill.id).join(", ")}`,
      );
      return name;
    });
  const resolved = {
    ...expect,
    required_skills: resolveAll(expect.required_skills),
    forbidden_skills: resolveAll(expect.forbidden_skills),
    also_fine: resolveAll(expect.also_fine),
  };
  return reasons.length > 0 ? { invalid: reasons.join("; ") } : resolved;
}

export function unknownName(name: string, library: Library): string {
  const ids = library.skills.map(({ id }) => id);
  const [near] = nearest(name, ids, 1);
  return `no skill "${name}" in the library${near === undefined ? "" : `; did you mean ${near}?`}`;
}
