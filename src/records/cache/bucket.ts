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

/** What is known of an answer without reading it. */
export interface Head {
  /** Of everything that could change the answer. */
  key: string;
  ask: string;
  run: number;
  target: string;
  library: string;
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
  readonly #byKey = new Map<string, Kept>();
  readonly #byAsk = new Map<string, Kept[]>();

  /** `oldest`: answers measured before are dead. */
  constructor(file: string, oldest: number) {
    this.#file = file;
    this.#oldest = oldest;
    const data = readAll(file);
    let live = 0;
    for (const kept of headsOf(data)) this.#remember(kept);
    for (const { at, length } of this.#byKey.values()) if (at >= oldest) live += length;
    if (data.length > WORTH_COMPACTING && live * 2 < data.length) this.#compact(data);
  }

  head(key: string): Head | undefined {
    return this.#byKey.get(key);
  }

  headsOfAsk(ask: string): readonly Head[] {
    return this.#byAsk.get(ask) ?? [];
  }

  /** The answer's JSON; undefined when another process has rewritten the file meanwhile. */
  body(key: string): string | undefined {
    const kept = this.#byKey.get(key);
    if (kept === undefined) return undefined;
    const line = readAt(this.#file, kept.offset, kept.length);
    const tab = line.indexOf(TAB);
    const head = tab < 0 ? undefined : parseHead(line.subarray(0, tab));
    return head?.key === key ? line.subarray(tab + 1).toString("utf8") : undefined;
  }

  #remember(kept: Kept): void {
    this.#byKey.set(kept.key, kept);
    const same = this.#byAsk.get(kept.ask);
    if (same === undefined) this.#byAsk.set(kept.ask, [kept]);
    else same.push(kept);
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
      const live = [...this.#byKey.values()].filter((kept) => kept.at >= this.#oldest);
      const lines = live.map(({ offset, length }) => data.subarray(offset, offset + length + 1));
      const since = readAll(this.#file).subarray(data.length);
      writeFileSync(fresh, Buffer.concat([...lines, since]));
      renameSync(fresh, this.#file);
      this.#byKey.clear();
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
    const { key, ask, run, target, library, at, loaded, endedEarly } = head ?? {};
    const texts = typeof key === "string" && typeof ask === "string" && typeof target === "string" && typeof library === "string";
    if (!texts || typeof run !== "number" || typeof at !== "number" || typeof loaded !== "object" || loaded === null) return undefined;
    return { key, ask, run, target, library, at, loaded, ...(endedEarly === true && { endedEarly }) };
  } catch {
    return undefined;
  }
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
