import { UsageError } from "../../../base/index.ts";
import type { HeaderLine } from "../../../model/index.ts";
import { listRuns, openRecord, type RecordPlace, readHeader, readRecord } from "../../record/index.ts";
import { scoreRecord } from "../../score/index.ts";

/** Ids of the questions that did not pass on these targets in the newest run that asked all of the targets. */
export async function failedLastTime(home: string, targets: readonly string[]): Promise<ReadonlySet<string>> {
  const last = await newestRun(home, ({ targets: asked }) => targets.every((id) => asked.some((one) => one.id === id)));
  if (last === undefined)
    throw new UsageError(
      `No run on ${targets.join(" and ")} is kept, so what failed is unknown.`,
      "First run it without --failed.",
    );
  const scores = await scoreRecord(readRecord(last.file));
  return new Set(
    scores.targets
      .filter(({ id }) => targets.includes(id))
      .flatMap(({ questions }) => questions.filter(({ status, verdict }) => status !== "skipped" && verdict !== "pass"))
      .map(({ id }) => id),
  );
}

async function newestRun(home: string, wanted: (header: HeaderLine) => boolean): Promise<RecordPlace | undefined> {
  for (const run of (await listRuns(home)).toReversed()) {
    const place = await openRecord(home, run).catch(() => undefined);
    const header = place && (await readHeader(place).catch(() => undefined));
    if (header !== undefined && wanted(header)) return place;
  }
  return undefined;
}
