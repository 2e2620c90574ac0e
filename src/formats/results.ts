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

/** How a tool keeps its results: a folder of JSON documents. `about` is for --help. */
export interface ResultFiles {
  about: string;
  /** What the tool's files have a place for and a record has not; said when they have been written. */
  missing: string;
  documents(exams: Exams, scores: Scores): AsyncIterable<{ path: string; document: object }>;
}

/** A run's answers on one skill and one target: the unit of other tools' result files. */
export interface SkillExam {
  skill: string;
  target: TargetScores;
  triggers: Answered[];
  cases: Answered[];
}

/** A question with its trials, those that ended in an error among them. */
export interface Answered {
  score: QuestionScore;
  line: QuestionLine;
  trials: ExamAnswer[];
  /** With --baseline: the same case without the skill, or with another version of it. */
  baseline?: { label: string; trials: ExamAnswer[] };
}

export interface ExamAnswer extends Pick<TrialLine, "run" | "ms" | "error" | "turns" | "usage" | "costUsd"> {
  attempts: number;
  /** Those that count. */
  activations: Activation[];
  check?: CheckResult;
  transcript(): Promise<Transcript | undefined>;
}

export interface Exams {
  header: HeaderLine;
  /** Without questions about no single skill: no such file has a place for them. */
  exams: SkillExam[];
}

/** Where the skill itself fired, whatever the question asks for besides. */
export function firedIn({ trials }: Answered, skill: string): { fired: number; measured: number } {
  const measured = trials.filter(({ error, check }) => error === undefined && check?.passed != null);
  return {
    fired: measured.filter(({ activations }) => activations.some((one) => one.skill === skill)).length,
    measured: measured.length,
  };
}

/**
 * By the rule of the other tools, which know no sibling: a prompt that the skill must leave alone passes where the
 * skill stays silent, whoever should have had it.
 * null where nothing was decided.
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
 * What a case's checks found in one trial, as skill-creator and evolve write it: a text, whether it holds, and why.
 * The text is the statement that was judged, or the
 * check's name: the same in every run. A message says what was found, which is another thing each time.
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

/** As the grader of `expectations` words it. */
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

/** The calls of a trial, by tool. */
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

/** The part of an id that its author wrote. */
export function ownId({ id }: Pick<QuestionLine, "id">): string {
  return id.slice(id.indexOf("#") + 1);
}

/** RFC 3339, to the second. */
export function toTheSecond(time: string): string {
  return time.replace(/\.\d+Z$/, "Z");
}

export function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}
