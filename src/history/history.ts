import { statSync } from "node:fs";
import { listRuns, openRecord, type RecordPlace, readHeader, readRecordInPieces } from "../exam/record/index.ts";
import { scoreRecord } from "../exam/score/index.ts";
import type { HeaderLine, Scores } from "../model/index.ts";

export interface ScoredRun {
  place: RecordPlace;
  /** Size of the record; if it has not grown, the run is unchanged. */
  bytes: number;
  header: HeaderLine;
  /** Rejects if the record is damaged. */
  scores(): Promise<Scores>;
}

const MOST_RUNS = 30;
const LARGEST = 50_000_000;

/** The newest kept runs of a library, oldest first. Unreadable ones are left out. */
export async function runsOfLibrary(home: string, library: string): Promise<ScoredRun[]> {
  const found: ScoredRun[] = [];
  for (const run of (await listRuns(home)).toReversed()) {
    if (found.length >= MOST_RUNS) break;
    const one = await openRun(home, run).catch(() => undefined);
    if (one !== undefined && one.header.library.name === library && one.bytes <= LARGEST) found.unshift(one);
  }
  return found;
}

async function openRun(home: string, run: string): Promise<ScoredRun> {
  const place = await openRecord(home, run);
  const { size } = statSync(place.file);
  const header = await readHeader(place);
  return { place, bytes: size, header, scores: () => scoreRecord(readRecordInPieces(place.file)) };
}
