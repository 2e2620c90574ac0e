import { closeSync, readSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { isTaken, openFile, readBytes } from "../../../base/index.ts";
import { writeFully } from "../disk.ts";
import { APPEND, files, REPLACE } from "../fs-calls.ts";
import { SUM_LENGTH, sumOf } from "../lines/checksum.ts";
import { amount, object, optional, positive, table, text, yesOrNo } from "../lines/shape.ts";

/** Fingerprints of everything that could change an answer. */
export interface AnswerKey {
  ask: string;
  run: number;
  target: string;
  library: string;
}

export interface AnswerHead extends AnswerKey {
  /** When it was measured, in milliseconds since the epoch. */
  at: number;
  loaded: Record<string, string>;
  endedEarly?: boolean;
}

interface StoredHead extends AnswerHead {
  offset: number;
  length: number;
}

/** A larger file is rewritten once more than half of it is expired or replaced lines. */
const WORTH_COMPACTING = 1_000_000;
const ABANDONED_MS = 60_000;
const TAB = 9;
const NEWLINE = 10;

/**
 * The answers whose asks share a first byte. Each line is a head, a tab, the answer, a tab and a checksum of both; only
 * heads are parsed. Several processes may append at once, since a line is one write. A half-written line is skipped,
 * and the last line of a key counts.
 */
export class Bucket {
  readonly #file: string;
  readonly #oldest: number;
  readonly #byAsk = new Map<string, StoredHead[]>();

  constructor(file: string, oldest: number) {
    this.#file = file;
    this.#oldest = oldest;
    const data = readAll(file);
    for (const stored of headsOf(data)) this.#remember(stored);
    if (data.length <= WORTH_COMPACTING) return;
    const live = this.#live().reduce((sum, { length }) => sum + length, 0);
    if (live * 2 < data.length) this.#compact(data);
  }

  head(key: AnswerKey): AnswerHead | undefined {
    return this.#find(key);
  }

  headsOfAsk(ask: string): readonly AnswerHead[] {
    return this.#byAsk.get(ask) ?? [];
  }

  /** The answer's JSON; undefined if another process has rewritten the file meanwhile, or if the line is damaged. */
  body(key: AnswerKey): string | undefined {
    const stored = this.#find(key);
    if (stored === undefined) return undefined;
    const line = readAt(this.#file, stored.offset, stored.length);
    const tab = line.indexOf(TAB);
    const head = tab < 0 || !isWhole(line) ? undefined : parseHead(line.subarray(0, tab));
    if (head === undefined || head.ask !== key.ask || !isSame(head, key)) return undefined;
    return line.subarray(tab + 1, -SUM_LENGTH - 1).toString("utf8");
  }

  #find(key: AnswerKey): StoredHead | undefined {
    return this.#byAsk.get(key.ask)?.find((stored) => isSame(stored, key));
  }

  #remember(stored: StoredHead): void {
    const ofAsk = this.#byAsk.get(stored.ask);
    const before = ofAsk?.findIndex((one) => isSame(one, stored)) ?? -1;
    if (ofAsk === undefined) this.#byAsk.set(stored.ask, [stored]);
    else if (before >= 0) ofAsk[before] = stored;
    else ofAsk.push(stored);
  }

  #live(): StoredHead[] {
    return [...this.#byAsk.values()].flat().filter((stored) => stored.at >= this.#oldest);
  }

  /** May lose what another process appends at the same moment; that is then merely asked again. */
  #compact(data: Buffer): void {
    const guard = `${this.#file}.compacting`;
    const fresh = `${this.#file}.new`;
    try {
      if (isAbandoned(guard)) files.rmdirSync(guard);
      files.mkdirSync(guard);
    } catch {
      return;
    }
    try {
      const lines = this.#live().map(({ offset, length }) => data.subarray(offset, offset + length + 1));
      const since = readAll(this.#file).subarray(data.length);
      writeSynced(fresh, Buffer.concat([...lines, since]));
      files.renameSync(fresh, this.#file);
      this.#byAsk.clear();
      for (const stored of headsOf(readAll(this.#file))) this.#remember(stored);
    } catch {
      files.rmSync(fresh, { force: true });
    } finally {
      files.rmdirSync(guard);
    }
  }
}

/** A process killed while compacting leaves its guard behind. No compaction takes this long. */
function isAbandoned(guard: string): boolean {
  const since = statSync(guard, { throwIfNoEntry: false })?.mtimeMs;
  return since !== undefined && Math.abs(Date.now() - since) > ABANDONED_MS;
}

/** Syncs before the rename, so that after a power cut there is the old file or the new one, never an empty one. */
function writeSynced(file: string, data: Uint8Array): void {
  const fd = files.openSync(file, REPLACE);
  try {
    writeFully(fd, data);
    files.fsyncSync(fd);
  } finally {
    files.closeSync(fd);
  }
}

/** The line break comes first, so that a line left half-written by a killed process spoils only itself. */
export function appendToBucket(file: string, lines: readonly string[]): { created: boolean } {
  const created = !isTaken(file);
  const fd = files.openSync(file, APPEND);
  try {
    files.appendFileSync(fd, `\n${lines.join("\n")}\n`);
  } finally {
    files.closeSync(fd);
  }
  return { created };
}

export function bucketLine(head: AnswerHead, body: string): string {
  const line = `${JSON.stringify(head)}\t${body}`;
  return `${line}\t${sumOf(line)}`;
}

function isWhole(line: Buffer): boolean {
  const end = line.length - SUM_LENGTH - 1;
  return end > 0 && line[end] === TAB && sumOf(line.toString("utf8", 0, end)) === line.toString("latin1", end + 1);
}

function* headsOf(data: Buffer): Generator<StoredHead> {
  let start = 0;
  for (let end = data.indexOf(NEWLINE); end >= 0; start = end + 1, end = data.indexOf(NEWLINE, start)) {
    const tab = data.indexOf(TAB, start);
    if (tab < 0 || tab > end) continue;
    const head = parseHead(data.subarray(start, tab));
    if (head !== undefined) yield { ...head, offset: start, length: end - start };
  }
}

function parseHead(data: Buffer): AnswerHead | undefined {
  try {
    const head: unknown = JSON.parse(data.toString("utf8"));
    if (headShape(head) !== undefined) return undefined;
    const { ask, run, target, library, at, loaded, endedEarly } = head as AnswerHead;
    const early = endedEarly === true ? true : undefined;
    return {
      ask,
      run,
      target: shared(target),
      library: shared(library),
      at,
      loaded: sharedRecord(loaded),
      endedEarly: early,
    };
  } catch {
    return undefined;
  }
}

const headShape = object({
  ask: text,
  run: positive,
  target: text,
  library: text,
  at: amount,
  loaded: table(text),
  endedEarly: optional(yesOrNo),
});

function isSame(a: Omit<AnswerKey, "ask">, b: Omit<AnswerKey, "ask">): boolean {
  return a.run === b.run && a.target === b.target && a.library === b.library;
}

/** A cache of 200,000 answers repeats the names of a few targets, libraries and skills, so each is kept once. */
const texts = new Map<string, string>();

function shared(text: string): string {
  const known = texts.get(text);
  if (known === undefined) texts.set(text, text);
  return known ?? text;
}

const records = new Map<string, Record<string, string>>();

function sharedRecord(record: Record<string, string>): Record<string, string> {
  const text = JSON.stringify(record);
  const known = records.get(text);
  if (known === undefined) records.set(text, record);
  return known ?? record;
}

/** A larger file is not ours: it would hold millions of answers. */
const MOST_BYTES = 2_000_000_000;

function readAll(file: string): Buffer {
  const read = readBytes(file, { within: dirname(file), mostBytes: MOST_BYTES });
  return read.status === "bytes" ? read.bytes : Buffer.alloc(0);
}

function readAt(file: string, offset: number, length: number): Buffer {
  const opened = openFile(file, { within: dirname(file) });
  if (opened.status === "unreadable") return Buffer.alloc(0);
  try {
    const buffer = Buffer.alloc(Math.min(length, opened.size));
    return buffer.subarray(0, readSync(opened.fd, buffer, 0, buffer.length, offset));
  } catch {
    return Buffer.alloc(0);
  } finally {
    closeSync(opened.fd);
  }
}
