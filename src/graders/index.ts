/**
 * Was it right: one file per grader, with its configuration schema and how it judges. text/ looks at the reply, files/
 * at the files left in the workspace, tools/ at the tool calls, activations/ at the skills that fired; programs/ starts
 * programs, judged/ asks a model. A grader turns a transcript into checks; programs and models are passed in.
 */

export { checkActivations, checkSkillInvocation, decided, hit, isPositive } from "./activations/skill-invocation.ts";
export {
  compares,
  graderTypes,
  isGraderType,
  judgementsIn,
  nativeSpelling,
  needsJudge,
  startsPrograms,
  useGraders,
} from "./find-grader.ts";
export { checkGrader, gradeQuestion, gradeTrigger, passesBy } from "./grade.ts";
export {
  defineGrader,
  type Grader,
  type GradingContext,
  type Judge,
  type JudgeReply,
  type JudgeRequest,
} from "./grader.ts";
export { saidText } from "./judged/said-text.ts";
export { graders } from "./list.ts";
export { matchesPattern } from "./patterns/pattern.ts";
export type { ProgramRequest, ProgramResult, Programs } from "./programs/programs.ts";
