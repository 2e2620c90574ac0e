import { closeSync, readSync } from "node:fs";
import { setImmediate as turn } from "node:timers/promises";
import { openFile, toPosix, UsageError } from "../../../base/index.ts";

/** A line in a buffer, without its newline. Its bytes, and `ROOM` before them, are scratch space for who looks at it. */
export interface LineBytes {
  data: Buffer;
  start: number;
  end: number;
}

export const ROOM = 32;
const CHUNK = 131_072;
const NEWLINE = 10;

/**
 * The newline-terminated lines of a file, some at a time, all in one buffer: a line is to be looked at before the next is asked for. One that is longer than
 * `most` is undefined.
 */
export async function* wholeLines(file: string, most: number): AsyncGenerator<Iterable<LineBytes | undefined>> {
  const opened = openFile(file);
  if (opened.status === "unreadable") throw new UsageError(`Cannot read ${toPosix(file)}: ${opened.message}`);
  try {
    let data = Buffer.allocUnsafe(ROOM + 2 * CHUNK);
    let end = ROOM;
    let isTooLong = false;
    for (;;) {
      if (data.length - end < CHUNK) data = Buffer.concat([data], 2 * data.length);
      // Read here and not by another thread, which would have to be waited for a thousand times; timers and signals have their turn in between.
      const added = readSync(opened.fd, data, end, CHUNK, null);
      await turn();
      if (added === 0) return;
      const last = data.subarray(end, end + added).lastIndexOf(NEWLINE);
      if (last >= 0) {
        yield split(data, end + last, isTooLong);
        isTooLong = false;
        data.copy(data, ROOM, end + last + 1, end + added);
        end = ROOM + added - last - 1;
      } else {
        isTooLong ||= end + added - ROOM > most;
        end = isTooLong ? ROOM : end + added;
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

/** One object for all lines of a piece: there are half a million. */
function* split(data: Buffer, end: number, isFirstTooLong: boolean): Generator<LineBytes | undefined> {
  const line = { data, start: ROOM, end: ROOM };
  let isTooLong = isFirstTooLong;
  for (let start = ROOM; start <= end; start = line.end + 1) {
    line.start = start;
    line.end = data.indexOf(NEWLINE, start);
    yield isTooLong ? undefined : line;
    isTooLong = false;
  }
}
