import { createReadStream } from "node:fs";
import { openFile, type Problem, toPosix, UsageError } from "../base/index.ts";
import { parseLine } from "./parse-line.ts";
import type { HeaderLine, RecordLine } from "./record-lines.ts";
import type { RecordPlace } from "./run-folders.ts";

export interface ReadOptions {
  /** Called for each damaged line, which is then left out. Without it, the first damaged line ends the reading with a UsageError. */
  onProblem?(problem: Problem): void;
}

/**
 * The lines of a record, one by one: a run of any length takes little memory.
 * A line counts once its newline is there, so half-written lines of a killed process are ignored.
 */
export async function* readRecord(file: string, options: ReadOptions = {}): AsyncGenerator<RecordLine> {
  let number = 0;
  for await (const texts of wholeLines(file)) {
    for (const text of texts) {
      number += 1;
      const line = parseLine(text);
      if (typeof line === "string") complain(file, number, line, options);
      else {
        if (number === 1 && line.type !== "header") throw notARecord(file);
        yield line;
      }
    }
  }
  if (number === 0) throw notARecord(file);
}

/** The first line of a record. */
export async function readHeader({ file }: RecordPlace): Promise<HeaderLine> {
  for await (const line of readRecord(file)) if (line.type === "header") return line;
  throw notARecord(file);
}

/** The newline-terminated lines of a file, a chunk's worth at a time. */
async function* wholeLines(file: string): AsyncGenerator<string[]> {
  let rest: Buffer[] = [];
  const opened = openFile(file);
  if (opened.status === "unreadable") throw new UsageError(`Cannot read ${toPosix(file)}: ${opened.message}`);
  try {
    for await (const chunk of createReadStream("", { fd: opened.fd, highWaterMark: 262_144 }) as AsyncIterable<Buffer>) {
      const newline = chunk.lastIndexOf(10);
      if (newline < 0) {
        rest.push(chunk);
        continue;
      }
      const head = chunk.subarray(0, newline);
      const text = (rest.length === 0 ? head : Buffer.concat([...rest, head])).toString("utf8");
      rest = newline + 1 < chunk.length ? [chunk.subarray(newline + 1)] : [];
      yield text.split("\n");
    }
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (code !== "") throw new UsageError(`Cannot read ${toPosix(file)} (${code})`);
    throw error;
  }
}

function complain(file: string, line: number, message: string, { onProblem }: ReadOptions): void {
  if (line === 1 || onProblem === undefined)
    throw new UsageError(`${toPosix(file)}:${line} ${message}`, line === 1 ? undefined : "The lines before it are intact.");
  onProblem({ code: "record/damaged-line", severity: "error", message, location: { file, line } });
}

function notARecord(file: string): UsageError {
  return new UsageError(`${toPosix(file)} is not a record: it does not begin with a header`);
}
