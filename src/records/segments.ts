import { closeSync, fdatasyncSync, fstatSync, mkdirSync, openSync, readdirSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { UsageError } from "../base/index.ts";
import type { Transcript } from "../transcripts/index.ts";
import { forward, syncFile, writeFully } from "./disk.ts";
import type { SegmentRef } from "./record-lines.ts";

/** Appends texts to `segments/<name>-000.jsonl`, and to the next file when one is full. Not a file per trial: a run has up to 200,000. */
export class SegmentWriter {
  readonly #dir: string;
  readonly #name: string;
  readonly #maxBytes: number;
  #open: { fd: number; file: string; size: number } | undefined;
  #queue: Buffer[] = [];
  #number: number;

  constructor(runDir: string, name: string, maxBytes: number) {
    this.#dir = join(runDir, "segments");
    this.#name = name;
    this.#maxBytes = maxBytes;
    // A resumed run starts a new file: the last one may end in half a line.
    this.#number = countSegments(this.#dir, name) - 1;
  }

  /** Takes a line without its newline; it is in the file after the next `flush`. */
  add(line: string): SegmentRef {
    const data = Buffer.from(`${line}\n`);
    if (this.#open === undefined || (this.#open.size > 0 && this.#open.size + data.length > this.#maxBytes)) this.#roll();
    const { file, size } = this.#open!;
    this.#queue.push(data);
    this.#open!.size += data.length;
    return { segment: file, offset: size, length: data.length - 1 };
  }

  flush(): void {
    if (this.#queue.length === 0) return;
    writeFully(this.#open!.fd, this.#queue.length === 1 ? this.#queue[0]! : Buffer.concat(this.#queue));
    this.#queue = [];
  }

  sync(): Promise<void> {
    return this.#open === undefined ? Promise.resolve() : syncFile(this.#open.fd);
  }

  close(): void {
    if (this.#open !== undefined) closeSync(this.#open.fd);
    this.#open = undefined;
  }

  #roll(): void {
    this.flush();
    if (this.#open !== undefined) fdatasyncSync(this.#open.fd);
    this.close();
    mkdirSync(this.#dir, { recursive: true });
    this.#number += 1;
    const file = `${this.#name}-${String(this.#number).padStart(3, "0")}.jsonl`;
    const fd = openSync(join(this.#dir, file), "a");
    this.#open = { fd, file, size: fstatSync(fd).size };
  }
}

/** The transcript a trial line refers to. */
export async function readTranscript(runDir: string, ref: SegmentRef): Promise<Transcript> {
  return (await readSegment(runDir, ref, "transcript")) as Transcript;
}

/** The host's raw output a trial line refers to. */
export async function readRaw(runDir: string, ref: SegmentRef): Promise<string> {
  return (await readSegment(runDir, ref, "raw")) as string;
}

async function readSegment(runDir: string, ref: SegmentRef, member: string): Promise<unknown> {
  const path = join(runDir, "segments", ref.segment);
  const damaged = () => new UsageError(`${forward(path)} does not hold what the record says (at byte ${ref.offset})`);
  // The name comes from a file that may have been made elsewhere.
  if (!/^[a-z]+-\d+\.jsonl$/.test(ref.segment)) throw damaged();
  const file = await open(path, "r").catch(() => {
    throw new UsageError(`${forward(path)} is missing`, "Copy the run's whole folder, not only record.jsonl.");
  });
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(ref.length), 0, ref.length, ref.offset);
    if (bytesRead !== ref.length) throw damaged();
    const line = parse(buffer.toString("utf8"));
    if (typeof line !== "object" || line === null || !(member in line)) throw damaged();
    return (line as Record<string, unknown>)[member];
  } finally {
    await file.close();
  }
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
