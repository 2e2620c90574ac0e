import type { GraderSpec, Library, SkillInvocation } from "../../../model/index.ts";
import { findSkill } from "../../find/index.ts";

/** The graders by which a case is compared with going without its skill: that a skill is not loaded where it is not there is nobody's failure. */
export function comparedGraders(graders: readonly GraderSpec[], skill: string, library: Library): GraderSpec[] {
  return graders.flatMap((spec) => notLoading(skill, spec, library));
}

/** What remains of a grader without asking for the skill. */
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
