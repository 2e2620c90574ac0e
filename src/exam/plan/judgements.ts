import { judgementsIn, needsJudge } from "../../graders/index.ts";
import type { GraderSpec } from "../../model/index.ts";
import type { Exam } from "./exam.ts";
import type { PlannedAsk } from "./planned-ask.ts";

/** Judgements that a trial takes if no judge's reply has to be asked for again. */
export function judgementsOf(ask: PlannedAsk): number {
  return judgedGraders(ask).reduce((sum, spec) => sum + judgementsIn(spec), 0);
}

/** The run's own judge, else those that the suites name for questions that are asked. */
export function judgesNamed({ plan, options }: Pick<Exam, "plan" | "options">): string[] {
  const specs = plan.asks.flatMap(judgedGraders);
  const responders = plan.asks.flatMap(({ ask }) =>
    ask.responder !== undefined && "instructions" in ask.responder ? [ask.responder] : [],
  );
  if (specs.length + responders.length > 0 && options.judge !== undefined) return [options.judge];
  const named = [
    ...specs.map(({ config }) => (config as { model?: string }).model),
    ...responders.map(({ model }) => model),
  ];
  return [...new Set(named.flatMap((model) => model ?? []))];
}

function judgedGraders({ questions }: PlannedAsk): GraderSpec[] {
  return questions.flatMap(({ check }) => ("graders" in check ? check.graders.filter(needsJudge) : []));
}
