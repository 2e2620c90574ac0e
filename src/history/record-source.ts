import { type RecordPlace, readRecord, readTranscript } from "../exam/record/index.ts";
import type { RecordLine, Transcript, TrialLine } from "../model/index.ts";

/** The record behind the scores, for reporters that show single trials. */
export interface RecordSource {
  place: RecordPlace;
  /** Reads the lines again on each call, leaving out damaged ones. */
  lines(): AsyncIterable<RecordLine>;
  /** Undefined if the transcript was not kept. */
  transcript(trial: TrialLine): Promise<Transcript | undefined>;
}

export function recordSource(place: RecordPlace): RecordSource {
  const { dir, file } = place;
  return {
    place,
    lines: () => readRecord(file, { onProblem: () => {} }),
    transcript: async ({ transcript }) => transcript && (await readTranscript(dir, transcript).catch(() => undefined)),
  };
}
