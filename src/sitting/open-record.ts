import type { AskUnit, PreparedExam } from "../plan/index.ts";
import {
  appendTo,
  createRecord,
  type HeaderStart,
  type Mask,
  type QuestionLine,
  type RecordPlace,
  type RecordWriter,
} from "../records/index.ts";
import type { Budget } from "./budget.ts";
import type { Doubts } from "./escalate.ts";
import type { Progress } from "./progress.ts";
import { readStoredRun } from "./stored-run.ts";

export interface Standing {
  mask: Mask;
  units: AskUnit[];
  budget: Budget;
  progress: Progress;
  doubts: Doubts;
}

/** A new record with its header and questions, or a stored one, whose trials are counted first. */
export async function openRecordOf(
  exam: PreparedExam,
  header: HeaderStart,
  resume: RecordPlace | undefined,
  standing: Standing,
): Promise<{ record: RecordWriter; known: number }> {
  const { mask } = standing;
  if (resume === undefined) {
    const record = await createRecord(exam.home, header, { mask });
    await writeQuestions(record, exam.plan.questions);
    return { record, known: 0 };
  }
  const byKey = new Map(standing.units.map((unit) => [`${unit.target} ${unit.ask.key}`, unit]));
  let known = 0;
  const record = appendTo(resume, { mask });
  try {
    const questions = await readStoredRun(resume, header, (trial) => {
      const unit = byKey.get(`${trial.target} ${trial.ask}`);
      if (unit === undefined || !unit.countKnown(trial)) return;
      known++;
      for (const { costUsd, usage } of trial.attempts) {
        standing.budget.add(trial.target, { ...(costUsd !== undefined && { usd: costUsd }), ...(usage && { usage }) });
      }
      standing.progress.trial(unit, trial);
      standing.doubts.note(trial.ask, trial.prediction);
    });
    await writeQuestions(
      record,
      exam.plan.questions.filter((question) => !questions.has(question.id)),
    );
    return { record, known };
  } catch (error) {
    await record.abandon();
    throw error;
  }
}

/** A batch at a time: every line's promise is waited for, and few of them are held. */
async function writeQuestions(record: RecordWriter, questions: readonly QuestionLine[]): Promise<void> {
  for (let start = 0; start < questions.length; start += 1_000) {
    await Promise.all(questions.slice(start, start + 1_000).map((question) => record.question(question)));
  }
}
