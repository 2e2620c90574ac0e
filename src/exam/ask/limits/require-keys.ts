import { UsageError } from "../../../base/index.ts";
import type { Exam } from "../../plan/index.ts";
import { type HeaderStart, type RecordPlace, readRecord } from "../../record/index.ts";
import type { CachedAnswers } from "../lines/cached-answers.ts";
import { Standings } from "../schedule/standings.ts";
import { jobOf } from "../trial.ts";

interface KeysRequest {
  exam: Exam;
  header: HeaderStart;
  resume: RecordPlace | undefined;
  answers: CachedAnswers;
}

/** Refuses a run in which a target that lacks something, a key say, has something to answer that no record and no cache holds. */
export async function requireKeys(request: KeysRequest): Promise<void> {
  for (const { target } of request.exam.targets) {
    const missing = await target.missing?.();
    if (missing === undefined || (await areAllKept(target.id, request))) continue;
    throw new UsageError(`${target.id}: ${missing}`, "-t embedded needs nothing: it predicts the triggers offline.");
  }
}

/** As the record leaves them. */
async function standingsOf({ exam, header, resume }: KeysRequest): Promise<Standings> {
  const standings = new Standings(exam, header);
  if (resume === undefined) return standings;
  for await (const line of readRecord(resume.file)) {
    const ask = line.type === "trial" ? standings.askOf(line) : undefined;
    if (line.type === "trial" && ask !== undefined) standings.addStored(ask, line);
  }
  return standings;
}

/** Goes through the runs as the schedule would, up to the first that would have to be asked. */
async function areAllKept(target: string, request: KeysRequest): Promise<boolean> {
  const { exam, answers } = request;
  const standings = await standingsOf(request);
  for (const ask of exam.plan.asks) {
    if (ask.target !== target) continue;
    while (standings.needed(ask) > 0) {
      const kept = await answers.find(jobOf({ ask, run: standings.nextRun(ask) }, exam));
      if (kept === undefined) return false;
      standings.add(ask, kept.line);
    }
  }
  return true;
}
