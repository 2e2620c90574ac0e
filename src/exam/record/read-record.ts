import { type Problem, toPosix, UsageError } from "../../base/index.ts";
import type { HeaderLine, RecordLine } from "../../model/index.ts";
import { checkLine } from "./lines/checksum.ts";
import { parseLine } from "./lines/parse-line.ts";
import { wholeLines } from "./lines/whole-lines.ts";
import type { RecordPlace } from "./run-folders.ts";

export interface ReadOptions {
  /** Called for each damaged line, which is then left out. Without it, the first damaged line throws a UsageError. */
  onProblem?(problem: Problem): void;
}

/** Far above any record of ours; a larger file would only fill the memory. */
const MOST = { lineBytes: 64 * 1024 ** 2, damagedLines: 10_000, questions: 500_000 };

/**
 * Reads a record line by line, so memory stays small however long the run. A line counts once its newline is there, so
 * lines half-written by a killed process are ignored. Lines have checksums since version 2; lines of version 1 are not
 * checked.
 */
export async function* readRecord(file: string, options: ReadOptions = {}): AsyncGenerator<RecordLine> {
  for await (const lines of readRecordInPieces(file, options)) for (const line of lines) yield line;
}

/** Batched: awaiting each line costs 10 % of the read. The first batch is the header alone. */
export async function* readRecordInPieces(file: string, options: ReadOptions = {}): AsyncGenerator<RecordLine[]> {
  const reading = new Reading(file, options);
  for await (const piece of wholeLines(file, MOST.lineBytes)) {
    let lines: RecordLine[] = [];
    try {
      for (const bytes of piece) {
        const line = reading.next(bytes);
        if (line === undefined) continue;
        lines.push(line);
        if (line.type !== "header") continue;
        yield lines;
        lines = [];
      }
    } catch (error) {
      // The lines before a damaged one are intact.
      if (lines.length > 0) yield lines;
      throw error;
    }
    if (lines.length > 0) yield lines;
  }
  if (reading.lines === 0) throw notARecord(file);
}

class Reading {
  readonly #file: string;
  readonly #options: ReadOptions;
  readonly #chain = new Chain();
  #damaged = 0;
  #questions = 0;

  constructor(file: string, options: ReadOptions) {
    this.#file = file;
    this.#options = options;
  }

  get lines(): number {
    return this.#chain.lines;
  }

  next(bytes: Buffer | undefined): RecordLine | undefined {
    const { line, problem } = this.#chain.next(bytes);
    if (problem !== undefined) {
      complain({ file: this.#file, line: this.lines }, problem, this.#options);
      this.#damaged += 1;
      if (this.#damaged > MOST.damagedLines)
        throw tooMuch(this.#file, `more than ${MOST.damagedLines.toLocaleString("en")} of its lines are damaged`);
    }
    if (line === undefined) return undefined;
    if (this.lines === 1 && line.type !== "header") throw notARecord(this.#file);
    if (line.type === "question") this.#questions += 1;
    if (this.#questions > MOST.questions)
      throw tooMuch(this.#file, `it has more than ${MOST.questions.toLocaleString("en")} questions`);
    return line;
  }
}

export async function readHeader({ file }: RecordPlace): Promise<HeaderLine> {
  for await (const line of readRecord(file)) if (line.type === "header") return line;
  throw notARecord(file);
}

interface CheckedLine {
  line?: RecordLine;
  problem?: string;
}

class Chain {
  lines = 0;
  #expected = 0;
  #seed = "";
  #hasChecksums = false;

  /** `bytes` is undefined if the line is too long to be kept. */
  next(bytes: Buffer | undefined): CheckedLine {
    this.lines += 1;
    if (bytes === undefined) {
      this.#expected += 1;
      return { problem: "is damaged: it is longer than any line of a record" };
    }
    const { json, checksum } = checkLine(bytes, this.#seed);
    const parsed = parseLine(json);
    const first = this.lines === 1 ? this.#first(parsed, checksum !== undefined) : undefined;
    if (first !== undefined) return first;
    const expected = this.#expected;
    this.#expected += 1;
    if (checksum === undefined)
      return this.#hasChecksums ? { problem: "is damaged: its checksum is missing" } : checked(parsed);
    this.#hasChecksums = true;
    if (!checksum.fits) return { problem: "is damaged: its checksum does not match" };
    if (this.lines === 1) this.#seed = checksum.sum;
    if (checksum.number < expected) {
      this.#expected = expected;
      return { problem: "is in the record twice, or in the wrong place" };
    }
    this.#expected = checksum.number + 1;
    const missing = checksum.number - expected;
    if (missing === 0) return checked(parsed);
    return {
      ...checked(parsed),
      problem: `comes after ${missing === 1 ? "a line that is" : `${missing} lines that are`} missing`,
    };
  }

  /** A first line that is not a header is reported as such, not as damage. */
  #first(parsed: RecordLine | string, hasChecksum: boolean): CheckedLine | undefined {
    if (typeof parsed === "string" || parsed.type !== "header") return checked(parsed);
    return parsed.version > 1 && !hasChecksum ? { problem: "is damaged: its checksum is missing" } : undefined;
  }
}

function checked(parsed: RecordLine | string): CheckedLine {
  return typeof parsed === "string" ? { problem: parsed } : { line: parsed };
}

function complain({ file, line }: { file: string; line: number }, message: string, { onProblem }: ReadOptions): void {
  if (line === 1 || onProblem === undefined)
    throw new UsageError(
      `${toPosix(file)}:${line} ${message}`,
      line === 1 ? undefined : "The lines before it are intact; proctor report shows them.",
    );
  onProblem({ code: "record/damaged-line", severity: "error", message, location: { file, line } });
}

function tooMuch(file: string, what: string): UsageError {
  return new UsageError(
    `${toPosix(file)} cannot be scored: ${what}.`,
    "Proctor would not have written such a record: restore it from a backup, or run again.",
  );
}

function notARecord(file: string): UsageError {
  return new UsageError(`${toPosix(file)} is not a record: it does not begin with a header`);
}
