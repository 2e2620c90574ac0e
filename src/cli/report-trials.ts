import { relativePosix, UsageError } from "../base/index.ts";
import { type QuestionLine, type RecordPlace, readRaw, readRecord, readTranscript, type TrialLine } from "../records/index.ts";
import { type ShownTrial, trialText } from "../reports/index.ts";
import { scoreRecord } from "../scores/index.ts";
import { hasColor } from "./has-color.ts";
import { terminalWidth } from "./terminal-width.ts";

/** Trials that are shown unless all are wanted. */
const MOST = 10;

/** Shows what is kept of the trials of some questions: those with a text in their id or prompt, or those that did not pass. */
export async function reportTrials(place: RecordPlace, text: string | true, verbose: boolean): Promise<void> {
  const wanted =
    text === true
      ? await notPassed(place)
      : (line: QuestionLine) => `${line.id}\n${line.prompt}`.toLowerCase().includes(text.toLowerCase());
  const byAsk = new Map<string, QuestionLine>();
  const trials: TrialLine[] = [];
  for await (const line of readRecord(place.file)) {
    if (line.type === "question" && wanted(line))
      for (const ask of [line.ask, ...Object.values(line.asks ?? {})]) byAsk.set(ask, byAsk.get(ask) ?? line);
    if (line.type === "trial" && byAsk.has(line.ask)) trials.push(line);
  }
  if (trials.length === 0)
    throw new UsageError(
      text === true
        ? `Every question of run ${place.run} that was asked passed.`
        : `No trial of run ${place.run} is of a question with "${text}".`,
      "proctor report --trials TEXT shows those of the questions with TEXT in their id or prompt.",
    );
  // Errors first: whoever looks wants to know what went wrong.
  trials.sort((a, b) => Number(b.error !== undefined) - Number(a.error !== undefined));
  const { createColors } = await import("picocolors");
  const options = { colors: createColors(hasColor(process.stdout)), width: terminalWidth(160), verbose };
  const shown = verbose ? trials : trials.slice(0, MOST);
  for (const line of shown) process.stdout.write(`${trialText(await kept(line, byAsk.get(line.ask)!, place), options)}\n\n`);
  if (shown.length < trials.length) process.stdout.write(`… and ${trials.length - shown.length} more trials: --verbose shows all\n`);
  process.stdout.write(`record ${relativePosix(process.cwd(), place.dir) || "."}\n`);
}

async function notPassed({ file }: RecordPlace): Promise<(line: QuestionLine) => boolean> {
  const { targets } = await scoreRecord(readRecord(file));
  const open = targets.flatMap(({ questions }) => questions.filter(({ status, verdict }) => status === "asked" && verdict !== "pass"));
  const ids = new Set(open.map(({ id }) => id));
  return ({ id }) => ids.has(id);
}

async function kept(line: TrialLine, { prompt, source }: QuestionLine, { dir }: RecordPlace): Promise<ShownTrial> {
  const place = source.line === undefined ? source.file : `${source.file}:${source.line}`;
  const transcript = line.transcript && (await readTranscript(dir, line.transcript));
  const raw = line.raw && (await readRaw(dir, line.raw));
  return { prompt, place, line, ...(transcript && { transcript }), ...(raw !== undefined && { raw }) };
}
