import { UsageError } from "../base/index.ts";
import type { PreparedExam } from "../plan/index.ts";
import { type AskUnit, makeUnits } from "../plan/index.ts";
import { type RecordPlace, readRecord } from "../records/index.ts";
import type { Answers } from "./cached-answers.ts";
import type { Job } from "./executor.ts";

/** Refuses a run in which a target that lacks its key has something to answer that no record and no cache holds. */
export async function refuseUnready(
  exam: PreparedExam,
  resume: RecordPlace | undefined,
  answers: Answers,
  jobOf: (unit: AskUnit, run: number) => Job,
): Promise<void> {
  for (const planned of exam.targets) {
    const missing = await planned.target.missing?.();
    if (missing === undefined) continue;
    const units = makeUnits(exam.plan, [planned], exam.options);
    if (resume !== undefined) await countKnown(units, resume);
    if (await areAllKept(units, answers, jobOf)) continue;
    throw new UsageError(`${planned.target.id}: ${missing}`, "Without a key, -t embedded predicts the triggers offline.");
  }
}

async function countKnown(units: readonly AskUnit[], { file }: RecordPlace): Promise<void> {
  const byAsk = new Map(units.map((unit) => [`${unit.target} ${unit.ask.key}`, unit]));
  for await (const line of readRecord(file)) if (line.type === "trial") byAsk.get(`${line.target} ${line.ask}`)?.countKnown(line);
}

/** Goes through the runs as the schedule would, up to the first that would have to be asked. */
async function areAllKept(units: readonly AskUnit[], answers: Answers, jobOf: (unit: AskUnit, run: number) => Job): Promise<boolean> {
  for (const unit of units) {
    while (unit.needed() > 0) {
      const line = await answers.find(jobOf(unit, unit.nextRun()));
      if (line === undefined) return false;
      unit.count(line);
    }
  }
  return true;
}
