import { type RecordPlace, readRecord, readTranscript } from "../exam/record/index.ts";
import type { RecordLine, Transcript, TrialLine } from "../model/index.ts";

/** The record that scores were made of, for reporters that show single trials. */
export interface RecordSource {
  place: RecordPlace;
  /** Its lines, read again each time; damaged ones are left out. */
  lines(): AsyncIterable<RecordLine>;
  /** What was said and done in a trial; undefined where it was not kept. */
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
