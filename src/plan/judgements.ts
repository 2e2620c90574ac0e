import { type GraderSpec, judgementsIn, needsJudge } from "../graders/index.ts";
import type { PlannedAsk } from "./planned-ask.ts";
import type { PreparedExam } from "./prepare.ts";

/** How many judgements of text a trial of the ask takes, when every reply can be read. */
export function judgementsOf(ask: PlannedAsk): number {
  return judgedGraders(ask).reduce((sum, spec) => sum + judgementsIn(spec), 0);
}

/** The models that judge the text of what is really asked: the run's own, else those that the suites name. */
export function judgesNamed({ plan, options }: Pick<PreparedExam, "plan" | "options">): string[] {
  const specs = plan.asks.flatMap(judgedGraders);
  if (specs.length > 0 && options.judge !== undefined) return [options.judge];
  return [...new Set(specs.flatMap(({ config }) => (config as { model?: string }).model ?? []))];
}

function judgedGraders({ questions }: PlannedAsk): GraderSpec[] {
  return questions.flatMap(({ check }) => ("graders" in check ? check.graders.filter(needsJudge) : []));
}
