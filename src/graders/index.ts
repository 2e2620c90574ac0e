/**
 * Was it right: one file per grader, its configuration's schema and its judgement side by side.
 * A grader reads a transcript and returns checks; it starts no process and calls no model by itself.
 */
export { type Check, defineGrader, type Grader, type GraderSpec, type GradingContext, type Judge } from "./grader.ts";
export type { SkillInvocation } from "./skill-invocation.ts";
