import type { Mask } from "../../../base/index.ts";
import type { FooterLine, QuestionLine } from "../../../model/index.ts";
import type { Exam } from "../../plan/index.ts";
import {
  appendTo,
  createRecord,
  type HeaderStart,
  maskHeader,
  type RecordPlace,
  type RecordWriter,
} from "../../record/index.ts";
import type { Counters } from "../limits/counters.ts";
import { readStoredRun } from "./stored-run.ts";

interface RecordRequest {
  exam: Exam;
  header: HeaderStart;
  resume: RecordPlace | undefined;
  mask: Mask;
  counters: Counters;
}

/**
 * Creates a record with its header and questions, or opens a stored one and counts its trials. `ended` is set if
 * nothing is left to ask.
 */
export async function openRecordOf(
  request: RecordRequest,
): Promise<{ record: RecordWriter; known: number; ended?: FooterLine }> {
  const { exam, header, resume, mask } = request;
  const { budget, standings, progress } = request.counters;
  if (resume === undefined) {
    const record = await createRecord(exam.recorded?.home ?? exam.home, header, { mask });
    try {
      await writeQuestions(record, exam.plan.questions);
    } catch (error) {
      await record.abandon().catch(() => {});
      throw error;
    }
    return { record, known: 0 };
  }
  let known = 0;
  const record = appendTo(resume, { mask });
  try {
    const { questions, footer } = await readStoredRun(resume, {
      now: maskHeader(header, mask),
      planned: exam.plan.questions,
      onTrial: (trial) => {
        // Trials that will be asked again were paid for as well.
        if (trial.cached === undefined) budget.addTrials(1);
        else budget.addPaid(trial.costUsd ?? 0);
        if (trial.judged !== undefined) budget.addJudged(trial.judged);
        for (const { costUsd, usage, error } of trial.attempts)
          budget.add(trial.target, { usd: costUsd, usage, measured: error === undefined });
        const ask = standings.askOf(trial);
        if (ask === undefined || !standings.addStored(ask, trial)) return;
        known++;
        progress.trial(ask, trial);
      },
    });
    const missing = exam.plan.questions.filter((question) => !questions.has(question.id));
    await writeQuestions(record, missing);
    const isWhole = missing.length === 0 && exam.plan.asks.every((ask) => standings.needed(ask) === 0);
    return { record, known, ended: isWhole && footer?.how === "complete" ? footer : undefined };
  } catch (error) {
    await record.abandon().catch(() => {});
    throw error;
  }
}

async function writeQuestions(record: RecordWriter, questions: readonly QuestionLine[]): Promise<void> {
  for (let start = 0; start < questions.length; start += 1_000) {
    await Promise.all(questions.slice(start, start + 1_000).map((question) => record.question(question)));
  }
}
