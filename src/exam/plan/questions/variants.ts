import type { GraderSpec, Library, QuestionLine, SkillInvocation } from "../../../model/index.ts";
import { findSkill } from "../../find/index.ts";

/**
 * Turns every positive into a negative of each sibling. Nothing new is asked: the same ask is graded once more.
 * Siblings that the prompt already requires, allows or forbids are left out.
 */
export function crossQuestions(questions: readonly QuestionLine[], library: Library): QuestionLine[] {
  const settled = new Map<string, Set<string>>();
  for (const { ask, expect } of questions) {
    if (expect === undefined) continue;
    const skills = settled.get(ask) ?? new Set();
    for (const skill of [...expect.required_skills, ...expect.also_fine, ...expect.forbidden_skills]) skills.add(skill);
    settled.set(ask, skills);
  }
  const crossed: QuestionLine[] = [];
  for (const line of questions) {
    if (!line.positive || line.expect === undefined || line.invalid !== undefined) continue;
    // `!`: set above for every ask.
    const known = settled.get(line.ask)!;
    for (const skill of library.skills) {
      if (known.has(skill.id) || !skill.modelInvocable) continue;
      known.add(skill.id);
      crossed.push({
        ...line,
        id: `${line.id}~${skill.id}`,
        skill: skill.id,
        runs: { ...line.runs },
        skipped: { ...line.skipped },
        positive: false,
        expect: {
          required_skills: [],
          forbidden_skills: [skill.id],
          also_fine: [],
          mode: "any_order",
          allow_extra: true,
        },
        cross: true,
      });
    }
  }
  return crossed;
}

/** Graders for the comparison with a trial without the skill, which cannot fail for not loading it. */
export function comparedGraders(graders: readonly GraderSpec[], skill: string, library: Library): GraderSpec[] {
  return graders.flatMap((spec) => notLoading(skill, spec, library));
}

function notLoading(id: string, spec: GraderSpec, library: Library): GraderSpec[] {
  const config = spec.config as Partial<SkillInvocation>;
  if (spec.type !== "skill_invocation" || config.required_skills === undefined) return [spec];
  const required = config.required_skills.filter((name) => findSkill(library, name).every((skill) => skill.id !== id));
  const { forbidden_skills: forbidden = [], allow_extra: extra = true } = config;
  if (required.length === config.required_skills.length) return [spec];
  return required.length === 0 && forbidden.length === 0 && extra
    ? []
    : [{ ...spec, config: { ...config, required_skills: required } }];
}
