import type {
  Activation,
  CheckResult,
  HeaderLine,
  QuestionLine,
  QuestionScore,
  Scores,
  TargetScores,
  Transcript,
  TrialLine,
} from "../model/index.ts";

/** A tool's own result files: a folder of JSON documents. `about` is for --help. */
export interface ResultFiles {
  about: string;
  /** Shown after writing: what the tool's files have a place for and a record lacks. */
  missing: string;
  documents(exams: Exams, scores: Scores): AsyncIterable<{ path: string; document: object }>;
}

export interface SkillExam {
  skill: string;
  target: TargetScores;
  triggers: Answered[];
  cases: Answered[];
}

export interface Answered {
  score: QuestionScore;
  line: QuestionLine;
  trials: ExamAnswer[];
  baseline?: { label: string; trials: ExamAnswer[] };
}

export interface ExamAnswer extends Pick<TrialLine, "run" | "ms" | "error" | "turns" | "usage" | "costUsd"> {
  attempts: number;
  activations: Activation[];
  check?: CheckResult;
  transcript(): Promise<Transcript | undefined>;
}

export interface Exams {
  header: HeaderLine;
  /** Leaves out questions about no single skill, for which such files have no place. */
  exams: SkillExam[];
}

export function firedIn({ trials }: Answered, skill: string): { fired: number; measured: number } {
  const measured = trials.filter(({ error, check }) => error === undefined && check?.passed != null);
  return {
    fired: measured.filter(({ activations }) => activations.some((one) => one.skill === skill)).length,
    measured: measured.length,
  };
}

/**
 * Judges a negative as other tools do, which know no sibling skills: it passes if this skill stays silent, no matter
 * which one should have fired. null if undecided.
 */
export function passedAlone(
  answered: Answered,
  skill: string,
  { negativeThreshold }: Scores["options"],
): boolean | null {
  const { verdict, role } = answered.score;
  if (verdict !== "pass" && verdict !== "fail") return null;
  const { fired, measured } = firedIn(answered, skill);
  return role === "negative" && measured > 0 ? fired / measured < negativeThreshold : verdict === "pass";
}

/**
 * The checks of one trial, as skill-creator and evolve write them. The text must be the same in every run, so it is the
 * judged statement or the check's name; a message differs from run to run.
 */
export function expectationsOf({ check }: ExamAnswer): { text: string; passed: boolean | null; evidence: string }[] {
  const seen = new Map<string, number>();
  return (check?.parts ?? []).map(({ grader, passed, message, evidence }) => {
    const statement = STATEMENT.exec(message)?.[1];
    if (statement !== undefined) return { text: statement, passed, evidence: evidence ?? message };
    const number = (seen.get(grader) ?? 0) + 1;
    seen.set(grader, number);
    const found = evidence === undefined || evidence === message ? message : `${message}: ${evidence}`;
    return { text: number === 1 ? grader : `${grader} (${number})`, passed, evidence: found };
  });
}

/** Must match the messages of the `expectations` grader. */
const STATEMENT = /^(?:holds|does not hold|the judge said nothing about): ([\s\S]+)$/;

export function countsOf(expectations: readonly { passed: boolean | null }[]) {
  const passed = expectations.filter((one) => one.passed === true).length;
  const failed = expectations.filter((one) => one.passed === false).length;
  const skipped = expectations.length - passed - failed;
  return {
    passed,
    failed,
    total: expectations.length,
    skipped,
    pass_rate: passed + failed === 0 ? null : passed / (passed + failed),
  };
}

export function toolsOf(transcript: Transcript | undefined) {
  const calls = transcript?.calls ?? [];
  const byTool: Record<string, number> = Object.create(null);
  for (const { tool } of calls) byTool[tool] = (byTool[tool] ?? 0) + 1;
  return {
    tool_calls: { ...byTool },
    total_tool_calls: calls.length,
    errors_encountered: calls.filter(({ ok }) => ok === false).length,
  };
}

export function ownId({ id }: Pick<QuestionLine, "id">): string {
  return id.slice(id.indexOf("#") + 1);
}

export function toTheSecond(time: string): string {
  return time.replace(/\.\d+Z$/, "Z");
}

export function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}
