import type { Ask, QuestionLine } from "../../model/index.ts";
import type { Standing } from "../score/index.ts";
import type { QuestionCheck } from "./questions/question-check.ts";

/** A question that will be put: what the record says of it, and what is checked. */
export interface PlannedQuestion {
  line: QuestionLine;
  check: QuestionCheck;
}

/** An ask on a target, with the questions that share its trials. */
export interface PlannedAsk {
  target: string;
  ask: Ask;
  questions: PlannedQuestion[];
  /** The most runs that any of them plans. */
  runs: number;
}

export function plannedAsk(target: string, ask: Ask, questions: PlannedQuestion[]): PlannedAsk {
  return {
    target,
    ask,
    questions,
    runs: questions.reduce((most, { line }) => Math.max(most, line.runs[target] ?? 0), 0),
  };
}

/** Where its trials are found again. */
export function askId({ target, ask }: PlannedAsk): string {
  return `${target} ${ask.key}`;
}

/** Its questions as they stand before anything was asked. */
export function freshStandings(
  { target, questions }: PlannedAsk,
  { threshold, negativeThreshold }: { threshold: number; negativeThreshold: number },
): Standing[] {
  return questions.map(({ line }) => ({
    hits: 0,
    measured: 0,
    planned: line.runs[target] ?? 0,
    threshold: line.positive ? threshold : negativeThreshold,
  }));
}
