import { closeSync, fstatSync, readdirSync, readSync } from "node:fs";
import { dirname, join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { kindAt, openFile, toPosix, UsageError } from "../../base/index.ts";
import type { SegmentRef, Transcript } from "../../model/index.ts";
import { makeFolder, syncFile, syncFolder, writeFully } from "./disk.ts";
import { APPEND, files } from "./fs-calls.ts";
import { sumOf } from "./lines/checksum.ts";
import { transcriptShape } from "./lines/line-shapes.ts";

const MOST_UNFOLDED = 512_000_000;

/**
 * Appends texts to `segments/<name>-000.jsonl`, and to the next file when one is full. One file per trial would be too
 * many, since a run has up to 200,000. Compressed lines are separate gzip members: each can be read alone, and `zcat`
 * shows the whole file.
 */
export class SegmentWriter {
  readonly #dir: string;
  readonly #name: string;
  readonly #maxBytes: number;
  readonly #compressed: boolean;
  #open: OpenSegment | undefined;
  #queue: Buffer[] = [];
  #number: number;
  /** Set until the folder entry of the open file has been synced. */
  #isNew = false;

  constructor(
    runDir: string,
    name: string,
    { maxBytes, compressed = false }: { maxBytes: number; compressed?: boolean },
  ) {
    this.#dir = join(runDir, "segments");
    this.#name = name;
    this.#maxBytes = maxBytes;
    this.#compressed = compressed;
    // A resumed run starts a new file, since the last one may end in half a line.
    this.#number = countSegments(this.#dir, name) - 1;
  }

  add(line: string): SegmentRef {
    const text = Buffer.from(`${line}\n`);
    const data = this.#compressed ? gzipSync(text) : text;
    const isFull = this.#open !== undefined && this.#open.size > 0 && this.#open.size + data.length > this.#maxBytes;
    const open = this.#open === undefined || isFull ? this.#openNext() : this.#open;
    const offset = open.size;
    this.#queue.push(data);
    open.size += data.length;
    return { segment: open.file, offset, length: this.#compressed ? data.length : data.length - 1, sum: sumOf(line) };
  }

  flush(): void {
    if (this.#open === undefined || this.#queue.length === 0) return;
    writeFully(this.#open.fd, Buffer.concat(this.#queue));
    this.#queue = [];
  }

  async sync(): Promise<void> {
    if (this.#open === undefined) return;
    await syncFile(this.#open.fd);
    if (this.#isNew) syncFolder(this.#dir);
    this.#isNew = false;
  }

  close(): void {
    if (this.#open !== undefined) files.closeSync(this.#open.fd);
    this.#open = undefined;
  }

  #openNext(): OpenSegment {
    this.flush();
    if (this.#open !== undefined) files.fdatasyncSync(this.#open.fd);
    this.close();
    if (kindAt(this.#dir, dirname(this.#dir)) === "outside")
      throw new UsageError(
        `Cannot write ${toPosix(this.#dir)}: it is a link that leads elsewhere`,
        "Remove it and try again.",
      );
    makeFolder(this.#dir);
    this.#number += 1;
    const file = `${this.#name}-${String(this.#number).padStart(3, "0")}.jsonl${this.#compressed ? ".gz" : ""}`;
    const fd = files.openSync(join(this.#dir, file), APPEND);
    this.#open = { fd, file, size: fstatSync(fd).size };
    this.#isNew = true;
    return this.#open;
  }
}

interface OpenSegment {
  fd: number;
  file: string;
  size: number;
}

export async function readTranscript(runDir: string, ref: SegmentRef): Promise<Transcript> {
  const transcript = await readSegment(runDir, ref, "transcript");
  if (transcriptShape(transcript) !== undefined) throw damaged(runDir, ref);
  return transcript as Transcript;
}

export async function readRaw(runDir: string, ref: SegmentRef): Promise<string> {
  const raw = await readSegment(runDir, ref, "raw");
  if (typeof raw !== "string") throw damaged(runDir, ref);
  return raw;
}

async function readSegment(runDir: string, ref: SegmentRef, member: string): Promise<unknown> {
  const path = join(runDir, "segments", ref.segment);
  // The name comes from a record that may have been made elsewhere, so it is not trusted as a path.
  if (!/^[a-z]+-\d+\.jsonl(\.gz)?$/.test(ref.segment)) throw damaged(runDir, ref);
  const file = openFile(path);
  if (file.status === "unreadable") {
    const why = file.reason === "missing" ? "is missing" : `cannot be read: ${file.message}`;
    throw new UsageError(`${toPosix(path)} ${why}`, "Copy the run's whole folder, not just record.jsonl.");
  }
  try {
    // The length is not trusted either: never allocate more than the file has.
    if (ref.offset + ref.length > file.size) throw damaged(runDir, ref);
    const buffer = Buffer.alloc(ref.length);
    if (readSync(file.fd, buffer, 0, ref.length, ref.offset) !== ref.length) throw damaged(runDir, ref);
    const text = ref.segment.endsWith(".gz") ? unfolded(buffer) : buffer.toString("utf8");
    if (text === undefined) throw damaged(runDir, ref);
    if (ref.sum !== undefined && sumOf(text) !== ref.sum) throw damaged(runDir, ref);
    const line = parse(text);
    if (typeof line !== "object" || line === null || !(member in line)) throw damaged(runDir, ref);
    return (line as Record<string, unknown>)[member];
  } finally {
    closeSync(file.fd);
  }
}

function unfolded(member: Buffer): string | undefined {
  try {
    return gunzipSync(member, { maxOutputLength: MOST_UNFOLDED }).toString("utf8").slice(0, -1);
  } catch {
    return undefined;
  }
}

function damaged(runDir: string, ref: SegmentRef): UsageError {
  return new UsageError(
    `${toPosix(join(runDir, "segments", ref.segment))} is damaged: it does not hold what the record says (at byte ${ref.offset})`,
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function countSegments(dir: string, name: string): number {
  try {
    return readdirSync(dir).filter((file) => file.startsWith(`${name}-`)).length;
  } catch {
    return 0;
  }
}
