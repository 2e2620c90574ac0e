import { dirname } from "node:path";
import { type RecordPlace, readRaw, readTranscript } from "../../exam/record/index.ts";
import { readNotes, type Since } from "../../history/index.ts";
import type { Scores, TrialLine } from "../../model/index.ts";
import type { RenderOptions } from "../reporter.ts";
import { pageDocument } from "./document.ts";
import type { PageData, PageTranscript } from "./page-data.ts";
import { pageHistory, type RunMemory } from "./project/history.ts";
import { factsOfLibrary, type LibraryFacts } from "./project/library-facts.ts";
import { pageData } from "./project/project.ts";
import { byInterest } from "./project/project-trials.ts";
import { IN_FILE, pageTranscript, SERVED, type TranscriptLimits } from "./project/transcript.ts";
import { type ReadExam, readExam } from "./read-exam.ts";

export interface PageOptions extends Pick<RenderOptions, "base" | "paths" | "config"> {
  since?: readonly Since[];
  /** As the run is to be scored; as it was unless said. */
  scores?: Scores;
}

/** The page of a run as one file that needs nothing else. */
export async function pageOfRun(place: RecordPlace, options: PageOptions = {}): Promise<string> {
  const exam = await pageExam(place, options.scores);
  const { transcripts, embedded } = await transcriptsThatFit(place, byInterest(exam), exam.short);
  const data = await dataOf(place, exam, { ...options, embedded, memory: new Map(), facts: new Map() });
  return pageDocument({ data, transcripts });
}

/** The same where only the scores are at hand: without trials, history and library. */
export function pageOfScores(given: Scores, { since = [], ...seen }: PageOptions = {}): string {
  const scores = measuredFirst(given);
  const exam = {
    scores,
    trials: [],
    ownAsks: new Map(),
    short: (ask: string) => ask,
    outcomes: new Map(),
    cellOf: () => null,
    skills: scores.targets.flatMap(({ skills }) => skills.map(({ skill }) => skill)),
  };
  const skills = [...new Set([...exam.skills, ...scores.plan.skillsWithoutQuestions])].map((id) => ({
    id,
    modelInvocable: true,
  }));
  return pageDocument({
    data: pageData({ exam: { ...exam, skills }, since, notes: [], history: [], facts: null, seen }),
    transcripts: {},
  });
}

/** What was measured stands before what was predicted, in every view. */
function measuredFirst(scores: Scores): Scores {
  return { ...scores, targets: scores.targets.toSorted((a, b) => Number(a.predicted) - Number(b.predicted)) };
}

async function pageExam({ file }: RecordPlace, given?: Scores): Promise<ReadExam> {
  const exam = await readExam(file, given);
  return { ...exam, scores: measuredFirst(exam.scores) };
}

/** What a server keeps between two looks at the runs of a library. */
export interface PageMemory {
  memory: RunMemory;
  /** By the library's fingerprint. */
  facts: Map<string, LibraryFacts | null>;
}

/** The data of a page that is served: its transcripts are asked for one by one. */
export async function servedData(place: RecordPlace, options: PageOptions & PageMemory): Promise<PageData> {
  return dataOf(place, await pageExam(place, options.scores), options);
}

interface DataOptions extends PageOptions, PageMemory {
  embedded?: ReadonlySet<TrialLine>;
}

async function dataOf(
  place: RecordPlace,
  exam: ReadExam,
  { since = [], memory, facts, embedded, base, paths, config }: DataOptions,
): Promise<PageData> {
  const home = dirname(dirname(dirname(place.dir)));
  const { library } = exam.scores.run;
  const questions = exam.scores.targets.flatMap((target) => target.questions.map(({ id }) => id));
  const history = await pageHistory({
    home,
    library: library.name,
    questions: [...new Set(questions)],
    now: { place, exam },
    memory,
  });
  if (!facts.has(library.fingerprint)) facts.set(library.fingerprint, await factsOfLibrary({ ...library, home }));
  const known = facts.get(library.fingerprint) ?? null;
  return pageData({
    exam,
    since,
    notes: readNotes(place),
    history,
    facts: known,
    seen: { base, paths, config },
    embedded,
  });
}

/** A page for a library that was never examined. */
export function libraryData(facts: LibraryFacts): PageData {
  return pageData({ exam: null, since: [], notes: [], history: [], facts, seen: {} });
}

/** All transcripts of a file together: what a mailbox and a browser take without complaint. */
const MOST_CHARS = 12_000_000;

async function transcriptsThatFit({ dir }: RecordPlace, lines: readonly TrialLine[], short: ReadExam["short"]) {
  const transcripts: Record<string, PageTranscript> = {};
  const embedded = new Set<TrialLine>();
  let room = MOST_CHARS;
  for (const line of lines) {
    const transcript = await transcriptOf(dir, line, IN_FILE);
    if (transcript === undefined) continue;
    room -= JSON.stringify(transcript).length;
    if (room < 0) break;
    embedded.add(line);
    transcripts[`${line.target} ${short(line.ask)} ${line.run}`] = transcript;
  }
  return { transcripts, embedded };
}

/** What was said and done in one trial of a run, as much as a browser shows without trouble. */
export async function servedTranscript(
  place: RecordPlace,
  target: string,
  ask: string,
  run: number,
): Promise<PageTranscript | undefined> {
  const { trials, short } = await readExam(place.file);
  const line = trials.find((one) => one.target === target && short(one.ask) === ask && one.run === run);
  return line && (await transcriptOf(place.dir, line, SERVED));
}

/**
 * Raw output comes along in a file where a trial went wrong: it is what a maintainer wants to see then, and the more so where
 * a host failed before it said or did anything that would be kept as a transcript.
 */
async function transcriptOf(
  dir: string,
  line: TrialLine,
  limits: TranscriptLimits,
): Promise<PageTranscript | undefined> {
  const transcript =
    line.transcript === undefined ? undefined : await readTranscript(dir, line.transcript).catch(() => undefined);
  const wantsRaw = limits !== IN_FILE || line.error !== undefined;
  const raw = line.raw === undefined || !wantsRaw ? undefined : await readRaw(dir, line.raw).catch(() => undefined);
  if (transcript === undefined && raw === undefined) return undefined;
  return pageTranscript(transcript ?? { texts: [], calls: [], activations: line.activations }, raw, limits);
}
