import type { Problem } from "../../base/index.ts";
import type { Ask, GraderSpec, Identity, QuestionLine, SkillInvocation } from "../../model/index.ts";
import type { Target } from "../../targets/index.ts";
import type { Standing } from "../score/index.ts";

export interface PlannedQuestion {
  line: QuestionLine;
  check: QuestionCheck;
  ask?: Ask | undefined;
  faults?: readonly Problem[] | undefined;
  ofOneSkill?: { ask: Ask; check: QuestionCheck };
  /** Key of the ask that decides the shard, so that a case and its baseline stay together. */
  shardedBy?: string;
}

/** An ask on a target, with the questions that share its trials. */
export interface PlannedAsk {
  target: string;
  ask: Ask;
  questions: PlannedQuestion[];
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

export type QuestionCheck =
  | { id: string; expect: SkillInvocation }
  /**
   * `dir`: the suite's folder, where graders find their files. `compared`: graders that compare the case with its
   * baseline.
   */
  | { id: string; graders: GraderSpec[]; dir: string; expectedOutput?: string; compared?: GraderSpec[] };

export interface PlannedTarget {
  target: Target;
  identity: Identity;
}
