/**
 * Was it right: one file per grader, its configuration's schema and its judgement side by side.
 * A grader reads a transcript and returns checks; it starts no process and calls no model by itself.
 */
export { type CheckedConfig, type ConfigNote, checkSkillInvocation } from "./check-skill-invocation.ts";
export { checkGrader, type Graded, gradeQuestion, gradeTrigger } from "./grade.ts";
export { type Check, defineGrader, type Grader, type GraderSpec, type GradingContext, type Judge } from "./grader.ts";
export { graders } from "./list.ts";
export { checkActivations, decided, hit, isPositive, type SkillInvocation, skillInvocation } from "./skill-invocation.ts";
