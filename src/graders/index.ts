/**
 * Was it right: one file per grader, with the schema of its configuration and how it judges. text/ looks at the reply,
 * judged/ asks a model, activations/ looks at the skills that fired. A grader reads a transcript and returns checks; it starts no process and
 * calls no model by itself.
 */

export { checkSkillInvocation } from "./activations/check-skill-invocation.ts";
export { checkActivations, decided, hit, isPositive, type SkillInvocation } from "./activations/skill-invocation.ts";
export { checkGrader, gradeQuestion, gradeTrigger } from "./grade.ts";
export { defineGrader, type GraderSpec, type GradingContext, type Judge, type JudgeReply, type JudgeRequest } from "./grader.ts";
export { judgementsIn, needsJudge } from "./judged/ask-judge.ts";
export { saidText } from "./judged/said-text.ts";
export { graders } from "./list.ts";
