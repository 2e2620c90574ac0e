import type { RecordPlace } from "../../../exam/record/index.ts";
import { runsOfLibrary, type ScoredRun } from "../../../history/index.ts";
import type { HeaderLine, Scores, TargetScores } from "../../../model/index.ts";
import type { PageRun } from "../page-data.ts";
import type { ReadExam } from "../read-exam.ts";

interface KeptRunScores extends Omit<PageRun, "edited" | "targets"> {
  header: Pick<HeaderLine, "library">;
  targets: (Omit<PageRun["targets"][number], "outcomes"> & { verdicts: number; byQuestion: Map<string, string> })[];
}

export type RunMemory = Map<string, KeptRunScores>;

interface HistoryRequest {
  home: string;
  library: string;
  questions: readonly string[];
  now: { place: RecordPlace; exam: ReadExam };
  memory: RunMemory;
}

export async function pageHistory({ home, library, questions, now, memory }: HistoryRequest): Promise<PageRun[]> {
  const kept: KeptRunScores[] = [];
  for (const run of await runsOfLibrary(home, library)) {
    const key = `${run.place.run} ${run.bytes}`;
    const isNow = run.place.file === now.place.file;
    const known = isNow ? keptRun(run.header, now.exam.scores) : (memory.get(key) ?? (await scored(run)));
    if (known === undefined) continue;
    if (!isNow) memory.set(key, known);
    kept.push(known);
  }
  return kept.map(({ header, targets, ...run }, at) => ({
    ...run,
    edited: editedSince(kept[at - 1]?.header, header),
    targets: targets.map(({ byQuestion, ...target }) => ({
      ...target,
      outcomes: questions.map((id) => byQuestion.get(id) ?? " ").join(""),
    })),
  }));
}

async function scored(run: ScoredRun): Promise<KeptRunScores | undefined> {
  return run
    .scores()
    .then((scores) => keptRun(run.header, scores))
    .catch(() => undefined);
}

function keptRun(header: HeaderLine, { run, targets }: Scores): KeptRunScores {
  const { id, startedAt, how, partial, git } = run;
  return {
    run: id,
    startedAt,
    how,
    partial,
    git,
    header: { library: header.library },
    targets: targets.map(keptTarget).sort((a, b) => Number(a.predicted) - Number(b.predicted)),
  };
}

function keptTarget({ id, predicted, total, skills, questions }: TargetScores): KeptRunScores["targets"][number] {
  const { score, recall, fpr, precision, coverage } = total;
  return {
    id,
    predicted,
    score,
    recall,
    fpr,
    precision,
    verdicts: coverage.verdicts,
    planned: coverage.planned,
    skills: skills.map((one) => ({ skill: one.skill, score: one.score, recall: one.recall, fpr: one.fpr })),
    byQuestion: new Map(questions.map(({ id: question, verdict }) => [question, SIGNS[verdict] ?? " "])),
  };
}

const SIGNS: Record<string, string> = { pass: "+", fail: "-", unsure: "?", inconclusive: "o" };

function editedSince(
  before: Pick<HeaderLine, "library"> | undefined,
  { library }: Pick<HeaderLine, "library">,
): PageRun["edited"] {
  const known = new Map(before?.library.skills.map((skill) => [skill.id, skill]));
  return library.skills.flatMap(({ id, fingerprint, description }) => {
    const then = known.get(id);
    if (then === undefined || then.fingerprint === fingerprint) return [];
    const isSame = then.description === description || then.description === undefined || description === undefined;
    return [isSame ? { skill: id } : { skill: id, before: then.description, after: description }];
  });
}
