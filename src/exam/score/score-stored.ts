import { relativePosix } from "../../base/index.ts";
import type { ScoreOptions, Scores } from "../../model/index.ts";
import { isLocked, type RecordPlace, readRecordInPieces } from "../record/index.ts";
import { scoreRecord } from "./scorer.ts";

/** What a stored run means. Of a damaged record the rest is scored, and the scores say that it is no more than that. */
export async function scoreStored(place: RecordPlace, options: ScoreOptions = {}): Promise<Scores> {
  // Asked before it is read: a run that ends in the meantime has its footer by then.
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
