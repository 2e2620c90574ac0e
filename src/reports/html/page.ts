import { dirname } from "node:path";
import { type RecordPlace, readRaw, readTranscript, type TrialLine } from "../../records/index.ts";
import type { Since } from "../../runs/index.ts";
import type { ScoreOptions } from "../../scores/index.ts";
import type { RenderOptions } from "../reporter.ts";
import { pageDocument } from "./document.ts";
import { pageHistory } from "./history.ts";
import { factsOfLibrary } from "./library-facts.ts";
import type { PageTranscript } from "./page-data.ts";
import { pageData } from "./project.ts";
import { byInterest } from "./project-trials.ts";
import { readExam } from "./read-exam.ts";
import { IN_FILE, pageTranscript, type TranscriptLimits } from "./transcript.ts";

export interface PageOptions extends Pick<RenderOptions, "base" | "paths" | "config"> {
  since?: readonly Since[];
  scoring?: ScoreOptions;
}

/** The page of a run as one file that needs nothing else. */
export async function pageOfRun(place: RecordPlace, { since = [], scoring, ...seen }: PageOptions = {}): Promise<string> {
  const exam = await readExam(place.file, scoring);
  const home = dirname(dirname(dirname(place.dir)));
  const { library } = exam.header;
  const questions = exam.scores.targets.flatMap((target) => target.questions.map(({ id }) => id));
  const history = await pageHistory(home, library.name, [...new Set(questions)]);
  const facts = await factsOfLibrary({ ...library, home });
  const { transcripts, embedded } = await transcriptsThatFit(place, byInterest(exam));
  return pageDocument({ data: pageData({ exam, since, history, facts, seen, embedded }), transcripts });
}

/** All transcripts of a file together: what a mailbox and a browser take without complaint. */
const MOST_CHARS = 12_000_000;

async function transcriptsThatFit({ dir }: RecordPlace, lines: readonly TrialLine[]) {
  const transcripts: Record<string, PageTranscript> = {};
  const embedded = new Set<TrialLine>();
  let room = MOST_CHARS;
  for (const line of lines) {
    if (line.transcript === undefined) continue;
    const transcript = await transcriptOf(dir, line, IN_FILE);
    if (transcript === undefined) continue;
    const size = JSON.stringify(transcript).length;
    if (size > room) break;
    room -= size;
    embedded.add(line);
    transcripts[trialKey(line)] = transcript;
  }
  return { transcripts, embedded };
}

/** Raw output comes along where a trial went wrong: it is what a maintainer wants to see then. */
export async function transcriptOf(dir: string, line: TrialLine, limits: TranscriptLimits): Promise<PageTranscript | undefined> {
  if (line.transcript === undefined) return undefined;
  const transcript = await readTranscript(dir, line.transcript).catch(() => undefined);
  const wantsRaw = limits !== IN_FILE || line.error !== undefined;
  const raw = line.raw === undefined || !wantsRaw ? undefined : await readRaw(dir, line.raw).catch(() => undefined);
  return transcript && pageTranscript(transcript, raw, limits);
}

export function trialKey({ target, ask, run }: TrialLine): string {
  return `${target} ${ask} ${run}`;
}
