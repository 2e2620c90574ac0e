import { type ProblemMaker, problemsBy } from "../base/index.ts";
import { readingRules } from "../exam/find/index.ts";
import { hostRules } from "../hosts/index.ts";

/** Every code that can be reported about skills: those of reading them, and those of the hosts. */
export const skillRules = { ...readingRules, ...hostRules };

export const problem: ProblemMaker<keyof typeof skillRules> = problemsBy(skillRules);
