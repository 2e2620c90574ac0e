import { type Problem, UsageError } from "../../base/index.ts";
import { openRecord, type RecordPlace, readRaw, readRecord, readTranscript } from "../../exam/record/index.ts";
import { scoreStored } from "../../exam/score/index.ts";
import type { QuestionLine, TrialLine } from "../../model/index.ts";
import type { ShownTrial } from "../../reporters/index.ts";
import { openScope, type Scope } from "../scope.ts";

export interface TrialsOptions extends Omit<Scope, "paths"> {
  /** A run's id, its folder or its record.jsonl. Default: the newest run. */
  run?: string;
  /** Selects questions with this text in their id, name or prompt. Default: questions that did not pass. */
  text?: string;
  /** Maximum number of trials. Default: all. */
  most?: number;
}

export interface StoredTrials {
  record: RecordPlace;
  /** Number of damaged or missing lines of the record, whose trials are not shown. */
  damaged: number;
  /** Number of trials of the selected questions, before `most` applies. */
  total: number;
  /** Errors first. Each trial is read when it is needed, with its transcript and raw output if they were kept. */
  trials: AsyncIterable<ShownTrial>;
}

export async function trials(options: TrialsOptions = {}): Promise<StoredTrials> {
  const { text, most = Number.POSITIVE_INFINITY } = options;
  const { home } = await openScope(options);
  const record = await openRecord(home, options.run);
  const damage: Problem[] = [];
  const found = await trialsOf(record, text === undefined ? await notPassed(record) : hasText(text), damage);
  if (text !== undefined && found.length === 0)
    throw new UsageError(
      `Run ${record.run} has no trial of a question with "${text}".`,
      "proctor report --trials TEXT shows the trials of the questions with TEXT in their id, name or prompt.",
    );
  return { record, damaged: damage.length, total: found.length, trials: readTrials(found.slice(0, most), record) };
}

interface FoundTrial {
  line: TrialLine;
  question: QuestionLine;
  predicted: boolean;
}

async function trialsOf(
  record: RecordPlace,
  wanted: (line: QuestionLine) => boolean,
  damage: Problem[],
): Promise<FoundTrial[]> {
  const byAsk = new Map<string, QuestionLine>();
  const predicting = new Set<string>();
  const found: FoundTrial[] = [];
  for await (const line of readRecord(record.file, { onProblem: (problem) => damage.push(problem) })) {
    if (line.type === "header") for (const { id, predicted } of line.targets) if (predicted) predicting.add(id);
    if (line.type === "question" && wanted(line))
      for (const ask of [line.ask, ...Object.values(line.asks ?? {})]) byAsk.set(ask, byAsk.get(ask) ?? line);
    if (line.type !== "trial") continue;
    const question = byAsk.get(line.ask);
    if (question !== undefined) found.push({ line, question, predicted: predicting.has(line.target) });
  }
  return found.sort((a, b) => Number(b.line.error !== undefined) - Number(a.line.error !== undefined));
}

function hasText(text: string): (line: QuestionLine) => boolean {
  return ({ id, prompt, name = "" }) => `${id}\n${name}\n${prompt}`.toLowerCase().includes(text.toLowerCase());
}

async function notPassed(record: RecordPlace): Promise<(line: QuestionLine) => boolean> {
  const { targets } = await scoreStored(record);
  const open = targets.flatMap(({ questions }) =>
    questions.filter(({ status, verdict }) => status === "asked" && verdict !== "pass"),
  );
  const ids = new Set(open.map(({ id }) => id));
  return ({ id }) => ids.has(id);
}

async function* readTrials(found: readonly FoundTrial[], { dir }: RecordPlace): AsyncGenerator<ShownTrial> {
  for (const { line, question, predicted } of found) {
    const { prompt, source, name, baseline } = question;
    yield {
      prompt,
      name,
      compared: baseline?.label,
      place: source.line === undefined ? source.file : `${source.file}:${source.line}`,
      predicted: predicted || undefined,
      line,
      transcript: line.transcript && (await readTranscript(dir, line.transcript)),
      raw: line.raw && (await readRaw(dir, line.raw)),
    };
  }
}
