import type { RecordLine } from "../records/index.ts";
import type { ScoreOptions } from "./options.ts";
import type { Scores } from "./scores.ts";

/** Takes a record line by line, as a run writes it or as a report reads it, and keeps a few numbers per question. */
export interface Scorer {
  add(line: RecordLine): void;
  /** What the record means so far; may be called again after more lines. */
  finish(): Scores;
}

export function createScorer(_options: ScoreOptions = {}): Scorer {
  throw new Error("not yet");
}

export async function scoreRecord(lines: AsyncIterable<RecordLine> | Iterable<RecordLine>, options: ScoreOptions = {}): Promise<Scores> {
  const scorer = createScorer(options);
  for await (const line of lines) scorer.add(line);
  return scorer.finish();
}
