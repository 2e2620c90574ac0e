import { statSync } from "node:fs";
import { listRuns, openRecord, type RecordPlace, readHeader, readRecordInPieces } from "../exam/record/index.ts";
import { scoreRecord } from "../exam/score/index.ts";
import type { HeaderLine, Scores } from "../model/index.ts";

/** A run of the past, and what it means. */
export interface ScoredRun {
  place: RecordPlace;
  /** Of the record's file: a run that has not grown is the same run. */
  bytes: number;
  header: HeaderLine;
  /** A damaged record has none. */
  scores(): Promise<Scores>;
}

/** How many runs are looked at, and how large a record may be to be scored for a look at the past. */
const MOST_RUNS = 30;
const LARGEST = 50_000_000;

/** The newest runs of a library that are kept, oldest first. What cannot be read is left out. */
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
