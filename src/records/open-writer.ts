import { closeSync, fstatSync, ftruncateSync, mkdirSync, openSync, readSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { toPosix, UsageError } from "../base/index.ts";
import { explainDisk, syncFolder } from "./disk.ts";
import type { Mask } from "./mask.ts";
import { RECORD_VERSION } from "./record-lines.ts";
import { type HeaderStart, RecordFile, type RecordWriter } from "./record-writer.ts";
import { listRuns, nextRunId, placeOf, type RecordPlace, runsFolder } from "./run-folders.ts";
import { lockRun } from "./run-lock.ts";

export interface WriterOptions {
  mask: Mask;
  /** A segment file larger than this is followed by another. */
  segmentBytes?: number;
}

/** Starts the record of a new run in `<root>/.proctor/runs/<id>/`; its header is on the disk when this resolves. */
export async function createRecord(root: string, header: HeaderStart, options: WriterOptions): Promise<RecordWriter> {
  const runs = runsFolder(root);
  try {
    mkdirSync(runs, { recursive: true });
    ignoreInGit(join(root, ".proctor"));
    const place = await claimRun(root, new Date(header.startedAt));
    return await startRecord(place, header, options);
  } catch (error) {
    throw explainDisk(error, runs);
  }
}

/** Writes the header; if even that fails, nothing is left behind. */
async function startRecord(place: RecordPlace, header: HeaderStart, options: WriterOptions): Promise<RecordWriter> {
  try {
    const lock = lockRun(place.dir);
    const writer = new RecordFile(place, { ...options, fd: openSync(place.file, "ax"), size: 0, release: lock.release });
    await writer.append({ type: "header", version: RECORD_VERSION, run: place.run, ...header });
    syncFolder(place.dir);
    syncFolder(dirname(place.dir));
    return writer;
  } catch (error) {
    rmSync(place.dir, { recursive: true, force: true });
    throw error;
  }
}

/** Continues a stored run: a half-written last line is removed first, and no other process can write to it until it is closed. */
export function appendTo(place: RecordPlace, options: WriterOptions): RecordWriter {
  try {
    const lock = lockRun(place.dir);
    const fd = openSync(place.file, "r+");
    const size = endOfLastLine(fd);
    if (size === 0) {
      closeSync(fd);
      lock.release();
      throw new UsageError(`${toPosix(place.file)} has no header: the run ended before it began`, "Start a new run.");
    }
    ftruncateSync(fd, size);
    closeSync(fd);
    return new RecordFile(place, { ...options, fd: openSync(place.file, "a"), size, release: lock.release });
  } catch (error) {
    throw explainDisk(error, place.file);
  }
}

function ignoreInGit(dir: string): void {
  try {
    writeFileSync(join(dir, ".gitignore"), "*\n", { flag: "wx" });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
}

/** Two processes may want the same id at once; creating the folder decides who gets it. */
async function claimRun(root: string, startedAt: Date): Promise<RecordPlace> {
  const day = `${startedAt.getFullYear()}-${two(startedAt.getMonth() + 1)}-${two(startedAt.getDate())}`;
  for (;;) {
    const dir = join(runsFolder(root), nextRunId(day, await listRuns(root)));
    try {
      mkdirSync(dir);
      return placeOf(dir);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    }
  }
}

function two(number: number): string {
  return String(number).padStart(2, "0");
}

/** Where the last whole line ends, searching backwards from the end of the file. */
function endOfLastLine(fd: number): number {
  const chunk = Buffer.alloc(65_536);
  let end = fstatSync(fd).size;
  while (end > 0) {
    const start = Math.max(0, end - chunk.length);
    const length = readSync(fd, chunk, 0, end - start, start);
    const newline = chunk.subarray(0, length).lastIndexOf(10);
    if (newline >= 0) return start + newline + 1;
    end = start;
  }
  return 0;
}
