import type { GraderSpec, SkillInvocation } from "../../../model/index.ts";

/** What a question checks: a trigger its expectation, a case its graders. */
export type QuestionCheck =
  | { id: string; expect: SkillInvocation }
  /** `dir` is the suite's folder, where graders find their files; `compared` the graders by which the case is compared with its baseline. */
  | { id: string; graders: GraderSpec[]; dir: string; expectedOutput?: string; compared?: GraderSpec[] };
