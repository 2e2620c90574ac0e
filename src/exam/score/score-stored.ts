import { relativePosix } from "../../base/index.ts";
import type { ScoreOptions, Scores } from "../../model/index.ts";
import { isLocked, type RecordPlace, readRecordInPieces } from "../record/index.ts";
import { scoreRecord } from "./scorer.ts";

/** Scores a stored run. If the record is damaged, the rest is scored and `damage` lists what is missing. */
export async function scoreStored(place: RecordPlace, options: ScoreOptions = {}): Promise<Scores> {
  // Checked before reading: a run that ends in the meantime has its footer by then.
  const goesOn = isLocked(place.dir);
  const damage: string[] = [];
  const lines = readRecordInPieces(place.file, {
    onProblem: ({ location, message }) =>
      damage.push(`${relativePosix(place.dir, location.file)}:${location.line} ${message}`),
  });
  const scores = await scoreRecord(lines, options);
  if (damage.length > 0) scores.run.damage = damage;
  if (scores.run.how === "unfinished" && goesOn) scores.run.goesOn = true;
  return scores;
}
