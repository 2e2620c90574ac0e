import type { RecordSource } from "../../history/index.ts";
import type {
  CheckResult,
  HeaderLine,
  QuestionLine,
  QuestionScore,
  Scores,
  TargetScores,
  TrialLine,
} from "../../model/index.ts";
import { type Activation, countedActivations, type Transcript } from "../../model/index.ts";
import { requireSource } from "../machine/source.ts";
import type { RenderOptions } from "../reporter.ts";

/** What a run has on one skill and one target: the unit of the result files of other tools. */
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
  /** Questions that are about no single skill are in none: no such file has a place for them. */
  exams: SkillExam[];
}

/** A run by skill and target, in the order of its targets and questions. */
export async function readExams(name: string, scores: Scores, options: RenderOptions): Promise<Exams> {
  const { header, lines, twins, trials } = await readLines(requireSource(name, options), scores);
  const exams = new Map<string, SkillExam>();
  for (const target of scores.targets) {
    for (const score of target.questions) {
      const line = lines.get(score.id);
      if (line === undefined || score.skill === undefined || score.status === "skipped" || score.status === "invalid")
        continue;
      const answered = answeredOf(score, line, target.id, { lines, twins, trials });
      const key = JSON.stringify([score.skill, target.id]);
      const exam = exams.get(key) ?? { skill: score.skill, target, triggers: [], cases: [] };
      exam[score.kind === "trigger" ? "triggers" : "cases"].push(answered);
      exams.set(key, exam);
    }
  }
  return { header, exams: [...exams.values()] };
}

interface Lines {
  lines: ReadonlyMap<string, QuestionLine>;
  /** The twins that --baseline adds, by the case they are compared with. */
  twins: ReadonlyMap<string, QuestionLine>;
  /** By target and ask. */
  trials: ReadonlyMap<string, readonly ReadTrial[]>;
}

type ReadTrial = Omit<ExamAnswer, "check"> & { checks: readonly CheckResult[] };

async function readLines(
  source: RecordSource,
  { options: { evidence } }: Scores,
): Promise<Lines & { header: HeaderLine }> {
  const lines = new Map<string, QuestionLine>();
  const twins = new Map<string, QuestionLine>();
  const trials = new Map<string, ReadTrial[]>();
  let header: HeaderLine | undefined;
  for await (const line of source.lines()) {
    if (line.type === "header") header = line;
    if (line.type === "question") lines.set(line.id, line);
    if (line.type === "question" && line.baseline !== undefined) twins.set(line.baseline.of, line);
    if (line.type !== "trial") continue;
    const key = JSON.stringify([line.target, line.ask]);
    const known = trials.get(key) ?? [];
    // A run that was asked again stands as it was asked last.
    const others = known.some(({ run }) => run === line.run) ? known.filter(({ run }) => run !== line.run) : known;
    others.push(readTrial(line, source, countedActivations(line.activations, evidence)));
    trials.set(key, others);
  }
  if (header === undefined) throw new Error("a record begins with its header");
  for (const own of trials.values()) own.sort((a, b) => a.run - b.run);
  return { header, lines, twins, trials };
}

/** Only what the files hold: a record may be long. */
function readTrial(line: TrialLine, source: RecordSource, activations: Activation[]): ReadTrial {
  const { run, ms, error, turns, usage, costUsd, checks, attempts, transcript: ref } = line;
  const place = { transcript: ref } as TrialLine;
  return {
    ...{ run, ms, error, turns, usage, costUsd, checks, activations, attempts: Math.max(1, attempts.length) },
    transcript: async () => (ref === undefined ? undefined : source.transcript(place)),
  };
}

function answeredOf(score: QuestionScore, line: QuestionLine, target: string, { twins, trials }: Lines): Answered {
  const answers = (question: QuestionLine) =>
    (trials.get(JSON.stringify([target, question.asks?.[target] ?? question.ask])) ?? []).map(
      ({ checks, ...rest }): ExamAnswer => {
        const check = checks.find((one) => one.question === question.id);
        return check === undefined ? rest : { ...rest, check };
      },
    );
  const answered: Answered = { score, line, trials: answers(line) };
  const twin = twins.get(line.id);
  if (twin?.baseline !== undefined) answered.baseline = { label: twin.baseline.label, trials: answers(twin) };
  return answered;
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
 * By the rule of the other tools, which know no sibling: a prompt that the skill must leave alone passes where the skill stays silent, whoever should have had it.
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
 * What a case's checks found in one trial, as skill-creator and evolve write it: a text, whether it holds, and why. The text is the statement that was judged, or the
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
