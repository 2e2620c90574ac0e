import { isDeepStrictEqual } from "node:util";
import { createMask } from "../../base/index.ts";
import {
  createRecord,
  type RecordPlace,
  type RecordWriter,
  readHeader,
  readRaw,
  readRecord,
  readTranscript,
} from "../../exam/record/index.ts";
import type { FooterLine, QuestionLine, TrialLine } from "../../model/index.ts";
import { discardRun } from "../list-runs.ts";
import { checksOf } from "./checks.ts";
import { checkOf, openExam, type RegradeRequest, type StoredExam } from "./exam.ts";
import { rereadLine, rereadOf } from "./reread.ts";

export interface Regraded {
  place: RecordPlace;
  trials: number;
  changed: number;
  /** Number of checks that could not be made again and keep their result, by reason. */
  kept: Record<string, number>;
  /** With `reparse`: trials that could not be parsed again, each with the reason. */
  notes: string[];
}

/** Grades the trials of a stored run again, by its suites as they are now, into a new record. No target is asked. */
export async function regradeRecord(place: RecordPlace, request: RegradeRequest): Promise<Regraded> {
  const header = await readHeader(place);
  const exam = await openExam(place, header, request);
  const { type: _type, version: _version, run, ...start } = header;
  const options = { ...start.options, label: `regraded from ${run}` };
  const record = await createRecord(
    request.home,
    { ...start, createdAt: new Date().toISOString(), options },
    { mask: createMask([]) },
  );
  let footer: FooterLine | undefined;
  let trials = 0;
  let changed = 0;
  try {
    for await (const line of readRecord(place.file)) {
      if (line.type === "question") {
        exam.questions.set(line.ask, [...(exam.questions.get(line.ask) ?? []), line]);
        await record.question(gradedBy(line, exam));
      } else if (line.type === "trial") {
        trials++;
        if (await regradeTrial(line, exam, { reparse: request.reparse === true, record })) changed++;
        footer = undefined;
      } else if (line.type === "footer") footer = line;
    }
    await record.close(
      footer ?? { type: "footer", endedAt: header.startedAt, how: "stopped", notAsked: {}, saved: { trials: 0 } },
    );
  } catch (error) {
    await discardRun(record);
    throw error;
  } finally {
    await exam.judges?.close();
  }
  return {
    place: { run: record.run, dir: record.dir, file: record.file },
    trials,
    changed,
    kept: exam.kept,
    notes: [...exam.notes],
  };
}

function gradedBy(line: QuestionLine, exam: StoredExam): QuestionLine {
  if (line.kind !== "case" || checkOf(line, exam) === undefined) return line;
  return { ...line, checks: exam.asked.get(line.baseline?.of ?? line.id)?.checks ?? line.checks };
}

async function regradeTrial(
  recorded: TrialLine,
  exam: StoredExam,
  { reparse, record }: { reparse: boolean; record: RecordWriter },
): Promise<boolean> {
  const { transcript: ref, raw: rawRef, ...line } = recorded;
  const raw = rawRef && (await readRaw(exam.place.dir, rawRef));
  const stored = ref && (await readTranscript(exam.place.dir, ref));
  const reread = reparse ? await rereadOf(line, raw, exam) : undefined;
  const transcript = reread ?? stored;
  const fresh = reread === undefined ? line : rereadLine(line, reread);
  const checks = fresh.error === undefined ? await checksOf(fresh, transcript, exam) : [];
  await record.trial({ ...fresh, checks }, { transcript, raw });
  return !isDeepStrictEqual(
    checks.map(({ passed }) => passed),
    recorded.checks.map(({ passed }) => passed),
  );
}
