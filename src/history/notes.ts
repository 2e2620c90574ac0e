import { join } from "node:path";
import { appendFileIn, didYouMean, namedPlace, readText, UsageError } from "../base/index.ts";
import type { RecordPlace } from "../exam/record/index.ts";
import { shareOf } from "../exam/score/index.ts";
import type { Scores } from "../model/index.ts";

/** A person's opinion of a verdict. Notes are kept beside the record, never in it: the record is what happened. */
export interface Note {
  question: string;
  /** Absent: applies to all targets. */
  target?: string;
  verdict?: "right" | "wrong";
  text: string;
  at: string;
}

/** How often people agree with a judge, i.e. whether it can be trusted. */
export interface NotedAgreement {
  n: number;
  prompts: number;
  right: number;
  low: number;
  high: number;
}

const MOST_TEXT = 4_000;

/** The newest note of each question and target counts. */
export function readNotes({ dir }: Pick<RecordPlace, "dir">): Note[] {
  const read = readText(join(dir, "notes.jsonl"), { within: dir });
  if (read.status !== "text") return [];
  const found = new Map<string, Note>();
  for (const line of read.text.split("\n")) {
    const note = parse(line);
    if (note !== undefined) found.set(`${note.question}\0${note.target ?? ""}`, note);
  }
  return [...found.values()];
}

/** Adds a note to the one question whose id or prompt contains the given text. */
export function addNote(
  { dir }: RecordPlace,
  scores: Scores,
  given: { question: string; target?: string; verdict?: Note["verdict"]; text: string },
): Note {
  const question = meant(scores, given.question);
  if (given.target !== undefined && !scores.targets.some(({ id }) => id === given.target))
    throw new UsageError(
      `${given.target} is not in run ${scores.run.id}.`,
      didYouMean(
        given.target,
        scores.targets.map(({ id }) => id),
        `It asked ${scores.targets.map(({ id }) => id).join(", ")}.`,
      ),
    );
  if (given.text.trim() === "" && given.verdict === undefined)
    throw new UsageError("The note says nothing.", 'proctor note QUESTION "what you think" --verdict wrong');
  const note: Note = { question, text: given.text.slice(0, MOST_TEXT), at: new Date().toISOString() };
  if (given.target !== undefined) note.target = given.target;
  if (given.verdict !== undefined) note.verdict = given.verdict;
  const { path } = namedPlace(join(dir, "notes.jsonl"));
  appendFileIn(path, `${JSON.stringify(note)}\n`);
  return note;
}

/** Counts only questions a judge influenced; other checks need no trust. Null if no note has a verdict on one. */
export function agreementOf(notes: readonly Note[], { targets }: Pick<Scores, "targets">): NotedAgreement | null {
  const judged = notes.flatMap(({ question, target, verdict }) => {
    const asked = targets.flatMap(({ id, questions }) => ((target ?? id) === id ? questions : []));
    const ask = asked.find((one) => one.id === question && one.judged === true)?.ask;
    return ask === undefined || verdict === undefined ? [] : [{ ask, hits: Number(verdict === "right") }];
  });
  const { n, prompts, low, high } = shareOf(judged);
  return low === null || high === null
    ? null
    : { n, prompts, right: judged.filter(({ hits }) => hits === 1).length, low, high };
}

function meant({ targets, run }: Scores, text: string): string {
  const all = new Map(targets.flatMap(({ questions }) => questions.map(({ id, prompt }) => [id, prompt] as const)));
  if (all.has(text)) return text;
  const wanted = text.toLowerCase();
  const found = [...all].filter(([id, prompt]) => `${id}\n${prompt}`.toLowerCase().includes(wanted)).map(([id]) => id);
  const [first] = found;
  if (first !== undefined && found.length === 1) return first;
  if (found.length > 1)
    throw new UsageError(
      `"${text}" is in ${found.length} questions of run ${run.id}.`,
      `Say which: ${found.slice(0, 5).join(", ")}${found.length > 5 ? " …" : ""}.`,
    );
  throw new UsageError(
    `No question of run ${run.id} has "${text}" in its id or prompt.`,
    didYouMean(text, all.keys(), "proctor report --json lists them."),
  );
}

function parse(line: string): Note | undefined {
  try {
    const { question, target, verdict, text, at } = JSON.parse(line) as Record<string, unknown>;
    if (typeof question !== "string" || typeof text !== "string" || typeof at !== "string") return undefined;
    const note: Note = { question, text: text.slice(0, MOST_TEXT), at };
    if (typeof target === "string") note.target = target;
    if (verdict === "right" || verdict === "wrong") note.verdict = verdict;
    return note;
  } catch {
    return undefined;
  }
}
