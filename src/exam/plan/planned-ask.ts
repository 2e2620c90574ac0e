import type { Problem } from "../../base/index.ts";
import type { Ask, GraderSpec, Identity, QuestionLine, SkillInvocation } from "../../model/index.ts";
import type { Target } from "../../targets/index.ts";
import type { Standing } from "../score/index.ts";

/** A question of a run: as the record has it, what is checked, and what is asked. */
export interface PlannedQuestion {
  line: QuestionLine;
  check: QuestionCheck;
  /** Undefined if it cannot be asked. */
  ask?: Ask | undefined;
  faults?: readonly Problem[] | undefined;
  /** For targets that decide about one skill at a time. */
  ofOneSkill?: { ask: Ask; check: QuestionCheck };
  /** Another ask that decides its shard, so that a case and its baseline stay in one. */
  shardedBy?: string;
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

/** Identifies its trials in the record. */
export function askId({ target, ask }: PlannedAsk): string {
  return `${target} ${ask.key}`;
}

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

/** What a question checks: a trigger its expectation, a case its graders. */
export type QuestionCheck =
  | { id: string; expect: SkillInvocation }
  /**
   * `dir` is the suite's folder, where graders find their files; `compared` the graders by which the case is compared
   * with its baseline.
   */
  | { id: string; graders: GraderSpec[]; dir: string; expectedOutput?: string; compared?: GraderSpec[] };

export interface PlannedTarget {
  target: Target;
  identity: Identity;
}
