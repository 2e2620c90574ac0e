import {
  type Answered,
  type ExamAnswer,
  type Exams,
  formats,
  type ResultFiles,
  type SkillExam,
} from "../formats/index.ts";
import type { RecordSource } from "../history/index.ts";
import {
  type Activation,
  type CheckResult,
  countedActivations,
  type HeaderLine,
  type QuestionLine,
  type QuestionScore,
  type Scores,
  type TrialLine,
} from "../model/index.ts";
import type { RenderOptions, Reporter, ReportFile } from "./reporter.ts";
import { requireSource } from "./reporter.ts";

/** One reporter per format with result files. Without a folder, the files are printed as one object, keyed by path. */
export const resultFileReporters: readonly Reporter[] = formats.flatMap(({ id, results }) =>
  results === undefined ? [] : [reporterOf(id, results)],
);

function reporterOf(name: string, { about, missing, documents }: ResultFiles): Reporter {
  async function* all(scores: Scores, options: RenderOptions) {
    yield* documents(await readExams(requireSource(name, options), scores), scores);
  }
  async function* files(scores: Scores, options: RenderOptions): AsyncGenerator<ReportFile> {
    for await (const { path, document } of all(scores, options))
      yield { path, text: `${JSON.stringify(document, null, 2)}\n` };
  }
  async function* render(scores: Scores, options: RenderOptions): AsyncGenerator<string> {
    let before = "{";
    for await (const { path, document } of all(scores, options)) {
      yield `${before}\n${JSON.stringify(path)}: ${JSON.stringify(document, null, 2)}`;
      before = ",";
    }
    yield before === "{" ? "{}\n" : "\n}\n";
  }
  return { name, about, render, files, missing };
}

async function readExams(source: RecordSource, scores: Scores): Promise<Exams> {
  const { header, lines, twins, trials } = await readLines(source, scores);
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
  twins: ReadonlyMap<string, QuestionLine>;
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
    // If a run was asked again, the last one counts.
    const others = known.some(({ run }) => run === line.run) ? known.filter(({ run }) => run !== line.run) : known;
    others.push(readTrial(line, source, countedActivations(line.activations, evidence)));
    trials.set(key, others);
  }
  if (header === undefined) throw new Error("a record begins with its header");
  for (const own of trials.values()) own.sort((a, b) => a.run - b.run);
  return { header, lines, twins, trials };
}

/** Keeps only what the files need, because a record may be long. */
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
