import {
  appendFileSync,
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";

/** Everything that could change an answer, as fingerprints. */
export interface Key {
  ask: string;
  run: number;
  target: string;
  library: string;
}

/** What is known of an answer without reading it. */
export interface Head extends Key {
  /** When it was measured. */
  at: number;
  /** The skills that were loaded, and the fingerprints of their files. */
  loaded: Record<string, string>;
  /** It was stopped once every question on it was decided. */
  endedEarly?: boolean;
}

interface Kept extends Head {
  offset: number;
  length: number;
}

/** A file is rewritten without its dead lines when it is larger than this and mostly dead. */
const WORTH_COMPACTING = 1_000_000;
const TAB = 9;
const NEWLINE = 10;

/**
 * Some of the answers: those whose asks share a first byte. Each line is a head, a tab and the answer; only heads are parsed.
 * Several processes append at once (a line is one write); a torn line is skipped; the last line of a key counts.
 */
export class Bucket {
  readonly #file: string;
  readonly #oldest: number;
  readonly #byAsk = new Map<string, Kept[]>();

  /** `oldest`: answers measured before are dead. */
  constructor(file: string, oldest: number) {
    this.#file = file;
    this.#oldest = oldest;
    const data = readAll(file);
    for (const kept of headsOf(data)) this.#remember(kept);
    if (data.length <= WORTH_COMPACTING) return;
    const live = this.#live().reduce((sum, { length }) => sum + length, 0);
    if (live * 2 < data.length) this.#compact(data);
  }

  head(key: Key): Head | undefined {
    return this.#find(key);
  }

  headsOfAsk(ask: string): readonly Head[] {
    return this.#byAsk.get(ask) ?? [];
  }

  /** The answer's JSON; undefined when another process has rewritten the file meanwhile. */
  body(key: Key): string | undefined {
    const kept = this.#find(key);
    if (kept === undefined) return undefined;
    const line = readAt(this.#file, kept.offset, kept.length);
    const tab = line.indexOf(TAB);
    const head = tab < 0 ? undefined : parseHead(line.subarray(0, tab));
    return head !== undefined && head.ask === key.ask && isSame(head, key) ? line.subarray(tab + 1).toString("utf8") : undefined;
  }

  #find(key: Key): Kept | undefined {
    return this.#byAsk.get(key.ask)?.find((kept) => isSame(kept, key));
  }

  #remember(kept: Kept): void {
    const ofAsk = this.#byAsk.get(kept.ask);
    const before = ofAsk?.findIndex((one) => isSame(one, kept)) ?? -1;
    if (ofAsk === undefined) this.#byAsk.set(kept.ask, [kept]);
    else if (before >= 0) ofAsk[before] = kept;
    else ofAsk.push(kept);
  }

  #live(): Kept[] {
    return [...this.#byAsk.values()].flat().filter((kept) => kept.at >= this.#oldest);
  }

  /** What another process appends in the same moment can be lost: it is asked again, no more. */
  #compact(data: Buffer): void {
    const guard = `${this.#file}.compacting`;
    const fresh = `${this.#file}.new`;
    try {
      mkdirSync(guard);
    } catch {
      return;
    }
    try {
      const lines = this.#live().map(({ offset, length }) => data.subarray(offset, offset + length + 1));
      const since = readAll(this.#file).subarray(data.length);
      writeFileSync(fresh, Buffer.concat([...lines, since]));
      renameSync(fresh, this.#file);
      this.#byAsk.clear();
      for (const kept of headsOf(readAll(this.#file))) this.#remember(kept);
    } catch {
      rmSync(fresh, { force: true });
    } finally {
      rmdirSync(guard);
    }
  }
}

/** The line break comes first, so that what a killed process left half-written spoils nothing but itself. */
export function appendToBucket(file: string, lines: readonly string[]): void {
  appendFileSync(file, `\n${lines.join("\n")}\n`);
}

export function bucketLine(head: Head, body: string): string {
  return `${JSON.stringify(head)}\t${body}`;
}

function* headsOf(data: Buffer): Generator<Kept> {
  let start = 0;
  for (let end = data.indexOf(NEWLINE); end >= 0; start = end + 1, end = data.indexOf(NEWLINE, start)) {
    const tab = data.indexOf(TAB, start);
    if (tab < 0 || tab > end) continue;
    const head = parseHead(data.subarray(start, tab));
    if (head !== undefined) yield { ...head, offset: start, length: end - start };
  }
}

function parseHead(data: Buffer): Head | undefined {
  try {
    const head = JSON.parse(data.toString("utf8")) as Partial<Head> | null;
    const { ask, run, target, library, at, loaded, endedEarly } = head ?? {};
    const texts = typeof ask === "string" && typeof target === "string" && typeof library === "string";
    if (!texts || typeof run !== "number" || typeof at !== "number" || typeof loaded !== "object" || loaded === null) return undefined;
    const early = endedEarly === true && { endedEarly };
    return { ask, run, target: shared(target), library: shared(library), at, loaded: sharedRecord(loaded), ...early };
  } catch {
    return undefined;
  }
}

function isSame(a: Omit<Key, "ask">, b: Omit<Key, "ask">): boolean {
  return a.run === b.run && a.target === b.target && a.library === b.library;
}

/** A cache of 200,000 answers names a few targets, libraries and skills again and again: each is held once. */
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

function readAll(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch {
    return Buffer.alloc(0);
  }
}

function readAt(file: string, offset: number, length: number): Buffer {
  try {
    const fd = openSync(file, "r");
    try {
      const buffer = Buffer.alloc(length);
      return buffer.subarray(0, readSync(fd, buffer, 0, length, offset));
    } finally {
      closeSync(fd);
    }
  } catch {
    return Buffer.alloc(0);
  }
}
