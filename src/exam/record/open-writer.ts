import { fstatSync, readSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Mask, namedPlace, ownFolder, toPosix, UsageError } from "../../base/index.ts";
import { RECORD_VERSION } from "../../model/index.ts";
import { explainDisk, makeFolder, syncFolder } from "./disk.ts";
import { APPEND, CHANGE, files } from "./fs-calls.ts";
import { readChecksum } from "./lines/checksum.ts";
import { type HeaderStart, type RecordEnd, RecordFile, type RecordWriter } from "./record-writer.ts";
import { nextRunId, placeOf, type RecordPlace, runIds, runsFolder } from "./run-folders.ts";
import { lockRun } from "./run-lock.ts";

export interface WriterOptions {
  mask: Mask;
  segmentBytes?: number;
  /** Written data is synced to disk after at most this many milliseconds. Default 1,000. */
  syncMs?: number;
}

/** Starts the record of a new run in `<root>/.proctor/runs/<id>/`. Its header is on disk when this resolves. */
export async function createRecord(root: string, header: HeaderStart, options: WriterOptions): Promise<RecordWriter> {
  const runs = runsFolder(root);
  try {
    makeFolder(runs);
    ignoreInGit(ownFolder(root));
    const place = await claimRun(root, header.createdAt ?? header.startedAt);
    return await startRecord(place, header, options);
  } catch (error) {
    throw explainDisk(error, runs);
  }
}

async function startRecord(place: RecordPlace, header: HeaderStart, options: WriterOptions): Promise<RecordWriter> {
  let writer: RecordFile | undefined;
  try {
    const lock = lockRun(place.dir);
    writer = new RecordFile(place, {
      ...options,
      fd: files.openSync(place.file, "ax"),
      size: 0,
      end: { seed: "", lines: 0 },
      release: lock.release,
    });
    // `createdAt` comes first: lists of runs sort by it and read only the beginning.
    const made = header.createdAt === undefined ? {} : { createdAt: header.createdAt };
    await writer.append({ type: "header", version: RECORD_VERSION, run: place.run, ...made, ...header });
    syncFolder(place.dir);
    syncFolder(dirname(place.dir));
    return writer;
  } catch (error) {
    await writer?.abandon().catch(() => {});
    files.rmSync(place.dir, { recursive: true, force: true });
    throw error;
  }
}

/** Continues a stored run. Removes a half-written last line first, and locks out other processes until it is closed. */
export function appendTo(place: RecordPlace, options: WriterOptions): RecordWriter {
  // A person may have named the run by its path.
  namedPlace(place.file);
  try {
    const lock = lockRun(place.dir);
    try {
      const { size, end } = cutToLastLine(place.file);
      return new RecordFile(place, {
        ...options,
        fd: files.openSync(place.file, APPEND),
        size,
        end,
        release: lock.release,
      });
    } catch (error) {
      lock.release();
      throw error;
    }
  } catch (error) {
    throw explainDisk(error, place.file);
  }
}

function ignoreInGit(dir: string): void {
  try {
    files.writeFileSync(join(dir, ".gitignore"), "*\n", { flag: "wx" });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
}

/** Two processes may want the same id at once; creating the folder decides who gets it. */
async function claimRun(root: string, createdAt: string): Promise<RecordPlace> {
  // UTC, so that ids sort the same wherever a run was made.
  const day = new Date(createdAt).toISOString().slice(0, 10);
  for (;;) {
    const dir = join(runsFolder(root), nextRunId(day, await runIds(root)));
    try {
      files.mkdirSync(dir);
      return placeOf(dir);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    }
  }
}

function cutToLastLine(file: string): { size: number; end: RecordEnd } {
  const fd = files.openSync(file, CHANGE);
  try {
    const { size, lines, first } = wholeLines(fd);
    if (size === 0)
      throw new UsageError(`${toPosix(file)} has no header: the run ended before it started`, "Start a new run.");
    // A record that ends in a whole line keeps its modification time.
    if (size < fstatSync(fd).size) files.ftruncateSync(fd, size);
    return { size, end: { seed: readChecksum(first)?.sum ?? "", lines } };
  } finally {
    files.closeSync(fd);
  }
}

function wholeLines(fd: number): { size: number; lines: number; first: string } {
  const chunk = Buffer.alloc(1_048_576);
  const total = fstatSync(fd).size;
  let size = 0;
  let lines = 0;
  let header = 0;
  for (let at = 0; at < total; ) {
    const length = readSync(fd, chunk, 0, chunk.length, at);
    if (length === 0) break;
    for (
      let newline = chunk.subarray(0, length).indexOf(10);
      newline >= 0;
      newline = chunk.subarray(0, length).indexOf(10, newline + 1)
    ) {
      size = at + newline + 1;
      if (lines === 0) header = size;
      lines += 1;
    }
    at += length;
  }
  const tail = Buffer.alloc(Math.min(64, Math.max(0, header - 1)));
  readSync(fd, tail, 0, tail.length, Math.max(0, header - 1 - tail.length));
  return { size, lines, first: tail.toString("latin1") };
}
