import { type ProblemMaker, problemsBy } from "../../base/index.ts";
import { type SkillRule, skillRules } from "./rules.ts";

export const problem: ProblemMaker<SkillRule> = problemsBy(skillRules);
