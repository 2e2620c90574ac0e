/** Placeholder replaced by the grader's owner: the configuration every trigger is translated into. */
export interface SkillInvocation {
  required_skills: string[];
  forbidden_skills: string[];
  also_fine: string[];
  mode: "exact_match" | "in_order" | "any_order";
  allow_extra: boolean;
}
