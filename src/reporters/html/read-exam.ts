import { basename, dirname } from "node:path";
import type { Problem } from "../../base/index.ts";
import { isLocked, readRecord } from "../../exam/record/index.ts";
import { createScorer, type Scorer } from "../../exam/score/index.ts";
import type { HeaderLine, HeaderSkill, RecordLine, ScoreOptions, Scores, TrialLine } from "../../model/index.ts";
import { shortAsks } from "./project/short-asks.ts";

export interface ReadExam {
  skills: HeaderSkill[];
  scores: Scores;
  /** One per target, ask and run; an answer wins over an error. */
  trials: TrialLine[];
  /** Asks of targets with their own, such as a judge's per skill, by question id. */
  ownAsks: ReadonlyMap<string, Record<string, string>>;
  short(ask: string): string;
  outcomes: Map<string, Map<string, string>>;
  cellOf: Scorer["cellOf"];
}

/** `given` scores replace the record's own. */
export async function readExam(file: string, given?: Scores): Promise<ReadExam> {
  // Checked before reading: a run that ends in the meantime has written its footer by then.
  const goesOn = isLocked(dirname(file));
  const reading = startReading(given === undefined ? {} : { evidence: given.options.evidence });
  const damage: string[] = [];
  const onProblem = ({ location, message }: Problem) => damage.push(`${basename(file)}:${location.line} ${message}`);
  for await (const line of readRecord(file, { onProblem })) reading.add(line);
  const exam = reading.finish();
  if (given !== undefined) return { ...exam, scores: given };
  const { run } = exam.scores;
  if (damage.length > 0) run.damage = damage;
  if (run.how === "unfinished" && goesOn) run.goesOn = true;
  return exam;
}

interface ExamReader {
  add(line: RecordLine): void;
  finish(): ReadExam;
}

function startReading(options: ScoreOptions = {}): ExamReader {
  const scorer = createScorer(options);
  const trials = new Map<string, TrialLine>();
  const ownAsks = new Map<string, Record<string, string>>();
  let header: HeaderLine | undefined;
  return {
    add(line) {
      scorer.add(line);
      if (line.type === "header") header ??= line;
      if (line.type === "question" && line.asks !== undefined) ownAsks.set(line.id, line.asks);
      if (line.type !== "trial") return;
      const key = `${line.target}\0${line.ask}\0${line.run}`;
      // An answer replaces an error, never the other way round.
      if (line.error === undefined || trials.get(key)?.error !== undefined || !trials.has(key)) trials.set(key, line);
    },
    finish() {
      if (header === undefined) throw new Error("A record starts with its header");
      const scores = scorer.finish();
      return {
        skills: header.library.skills,
        scores,
        trials: [...trials.values()],
        ownAsks,
        short: shortAsks([
          ...scores.targets.flatMap(({ questions }) => questions.map(({ ask }) => ask)),
          ...[...trials.values()].map(({ ask }) => ask),
        ]),
        outcomes: new Map(scores.targets.map(({ id }) => [id, scorer.outcomes(id)])),
        cellOf: scorer.cellOf,
      };
    },
  };
}
