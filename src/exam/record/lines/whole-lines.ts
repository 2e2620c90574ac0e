import { closeSync, readSync } from "node:fs";
import { setImmediate as turn } from "node:timers/promises";
import { openFile, toPosix, UsageError } from "../../../base/index.ts";

const CHUNK = 131_072;
const NEWLINE = 10;

/**
 * Yields batches of newline-terminated lines; a line longer than `most` bytes is undefined. All share one buffer: use a
 * line before asking for the next batch.
 */
export async function* wholeLines(file: string, most: number): AsyncGenerator<Iterable<Buffer | undefined>> {
  const opened = openFile(file);
  if (opened.status === "unreadable") throw new UsageError(`Cannot read ${toPosix(file)}: ${opened.message}`);
  try {
    let data = Buffer.allocUnsafe(2 * CHUNK);
    let end = 0;
    let isTooLong = false;
    for (;;) {
      if (data.length - end < CHUNK) data = Buffer.concat([data], 2 * data.length);
      // A synchronous read is faster than awaiting thousands of reads; timers and signals get their turn in between.
      const added = readSync(opened.fd, data, end, CHUNK, null);
      await turn();
      if (added === 0) return;
      const last = data.subarray(end, end + added).lastIndexOf(NEWLINE);
      if (last >= 0) {
        yield split(data, end + last, isTooLong);
        isTooLong = false;
        data.copy(data, 0, end + last + 1, end + added);
        end = added - last - 1;
      } else {
        isTooLong ||= end + added > most;
        end = isTooLong ? 0 : end + added;
      }
    }
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (code !== "") throw new UsageError(`Cannot read ${toPosix(file)} (${code})`);
    throw error;
  } finally {
    closeSync(opened.fd);
  }
}

function* split(data: Buffer, end: number, isFirstTooLong: boolean): Generator<Buffer | undefined> {
  let isTooLong = isFirstTooLong;
  for (let start = 0; start <= end; ) {
    const newline = data.indexOf(NEWLINE, start);
    yield isTooLong ? undefined : data.subarray(start, newline);
    isTooLong = false;
    start = newline + 1;
  }
}
