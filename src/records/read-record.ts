import { createReadStream } from "node:fs";
import { openFile, type Problem, toPosix, UsageError } from "../base/index.ts";
import { parseLine } from "./parse-line.ts";
import type { HeaderLine, RecordLine } from "./record-lines.ts";
import type { RecordPlace } from "./run-folders.ts";
import { readSealed } from "./seal.ts";

export interface ReadOptions {
  /** Called for each damaged line, which is then left out. Without it, the first damaged line ends the reading with a UsageError. */
  onProblem?(problem: Problem): void;
}

/** What no record of ours comes near: beyond it, a file is somebody's attempt to fill the memory. */
const MOST = { lineBytes: 64 * 1024 ** 2, damagedLines: 10_000, questions: 500_000 };

/**
 * The lines of a record, one by one: a run of any length takes little memory.
 * A line counts once its newline is there, so half-written lines of a killed process are ignored.
 * Every line has a checksum since version 2; those of version 1 are taken as they are.
 */
export async function* readRecord(file: string, options: ReadOptions = {}): AsyncGenerator<RecordLine> {
  const chain = new Chain();
  let damaged = 0;
  let questions = 0;
  for await (const lines of wholeLines(file)) {
    for (const bytes of lines) {
      const { line, problem } = chain.next(bytes);
      if (problem !== undefined) {
        complain(file, chain.lines, problem, options);
        damaged += 1;
        if (damaged > MOST.damagedLines)
          throw tooMuch(file, `more than ${MOST.damagedLines.toLocaleString("en")} of its lines are damaged`);
      }
      if (line === undefined) continue;
      if (chain.lines === 1 && line.type !== "header") throw notARecord(file);
      if (line.type === "question") questions += 1;
      if (questions > MOST.questions) throw tooMuch(file, `it has more than ${MOST.questions.toLocaleString("en")} questions`);
      yield line;
    }
  }
  if (chain.lines === 0) throw notARecord(file);
}

/** The first line of a record. */
export async function readHeader({ file }: RecordPlace): Promise<HeaderLine> {
  for await (const line of readRecord(file)) if (line.type === "header") return line;
  throw notARecord(file);
}

interface CheckedLine {
  line?: RecordLine;
  /** What is wrong with it, or with its place. */
  problem?: string;
}

/** Follows the numbers and checksums from line to line. */
class Chain {
  /** Lines so far. */
  lines = 0;
  /** The number the next line should have: one that cannot be read has taken one. */
  #expected = 0;
  #seed = "";
  #isSealed = false;

  /** The line's bytes are scratch space afterwards. */
  next(bytes: Buffer): CheckedLine {
    this.lines += 1;
    if (bytes === TOO_LONG) {
      this.#expected += 1;
      return { problem: "is damaged: it is longer than any line of a record" };
    }
    const { json, seal } = readSealed(bytes, this.#seed);
    const parsed = parseLine(json);
    const first = this.lines === 1 ? this.#first(parsed, seal !== undefined) : undefined;
    if (first !== undefined) return first;
    const expected = this.#expected;
    this.#expected += 1;
    if (seal === undefined) return this.#isSealed ? { problem: "is damaged: its checksum is missing" } : checked(parsed);
    this.#isSealed = true;
    if (!seal.fits) return { problem: "is damaged: its checksum does not fit" };
    if (this.lines === 1) this.#seed = seal.sum;
    if (seal.number < expected) {
      this.#expected = expected;
      return { problem: "is in the record twice, or at the wrong place" };
    }
    this.#expected = seal.number + 1;
    const missing = seal.number - expected;
    if (missing === 0) return checked(parsed);
    return { ...checked(parsed), problem: `comes after ${missing === 1 ? "a line that is" : `${missing} lines that are`} missing` };
  }

  /** What cannot be a header of ours is told as that, not as damage. */
  #first(parsed: RecordLine | string, isSealed: boolean): CheckedLine | undefined {
    if (typeof parsed === "string" || parsed.type !== "header") return checked(parsed);
    return parsed.version > 1 && !isSealed ? { problem: "is damaged: its checksum is missing" } : undefined;
  }
}

function checked(parsed: RecordLine | string): CheckedLine {
  return typeof parsed === "string" ? { problem: parsed } : { line: parsed };
}

/** Stands for a line that was not kept. */
const TOO_LONG = Buffer.alloc(0);

/** The newline-terminated lines of a file, a chunk's worth at a time. */
async function* wholeLines(file: string): AsyncGenerator<Buffer[]> {
  let rest: Buffer[] = [];
  let length = 0;
  const opened = openFile(file);
  if (opened.status === "unreadable") throw new UsageError(`Cannot read ${toPosix(file)}: ${opened.message}`);
  try {
    for await (const chunk of createReadStream("", { fd: opened.fd, highWaterMark: 262_144 }) as AsyncIterable<Buffer>) {
      const newline = chunk.lastIndexOf(NEWLINE);
      if (newline < 0) {
        length += chunk.length;
        if (length <= MOST.lineBytes) rest.push(chunk);
        else rest = [];
        continue;
      }
      const head = chunk.subarray(0, newline);
      if (length > MOST.lineBytes) yield [TOO_LONG, ...split(head).slice(1)];
      else yield split(rest.length === 0 ? head : Buffer.concat([...rest, head]));
      rest = newline + 1 < chunk.length ? [chunk.subarray(newline + 1)] : [];
      length = rest[0]?.length ?? 0;
    }
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (code !== "") throw new UsageError(`Cannot read ${toPosix(file)} (${code})`);
    throw error;
  }
}

function split(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  let start = 0;
  for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
    lines.push(bytes.subarray(start, end));
    start = end + 1;
  }
  lines.push(bytes.subarray(start));
  return lines;
}

const NEWLINE = 10;

function complain(file: string, line: number, message: string, { onProblem }: ReadOptions): void {
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
    "It is no record that Proctor would write: take it from a backup, or run again.",
  );
}

function notARecord(file: string): UsageError {
  return new UsageError(`${toPosix(file)} is not a record: it does not begin with a header`);
}
