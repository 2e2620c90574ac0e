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
  scores?: Scores;
}

export async function pageOfRun(place: RecordPlace, options: PageOptions = {}): Promise<string> {
  const exam = await pageExam(place, options.scores);
  const { transcripts, embedded } = await transcriptsThatFit(place, byInterest(exam), exam.short);
  const data = await dataOf(place, exam, { ...options, embedded, memory: new Map(), facts: new Map() });
  return pageDocument({ data, transcripts });
}

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

function measuredFirst(scores: Scores): Scores {
  return { ...scores, targets: scores.targets.toSorted((a, b) => Number(a.predicted) - Number(b.predicted)) };
}

async function pageExam({ file }: RecordPlace, given?: Scores): Promise<ReadExam> {
  const exam = await readExam(file, given);
  return { ...exam, scores: measuredFirst(exam.scores) };
}

export interface PageMemory {
  memory: RunMemory;
  facts: Map<string, LibraryFacts | null>;
}

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

export function libraryData(facts: LibraryFacts): PageData {
  return pageData({ exam: null, since: [], notes: [], history: [], facts, seen: {} });
}

/** Limit for all transcripts in one file, so that mail servers and browsers accept it. */
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
 * A failed trial comes with its raw output, which maintainers need most if the host failed before producing a
 * transcript.
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
