import type { Mask } from "../../base/index.ts";
import type { FooterLine, HeaderLine, QuestionLine, RecordLine, Transcript, TrialLine } from "../../model/index.ts";
import { explainDisk, syncFile, writeFully } from "./disk.ts";
import { files } from "./fs-calls.ts";
import { withChecksum } from "./lines/checksum.ts";
import { maskedLine, maskedTranscript } from "./lines/masked-line.ts";
import type { RecordPlace } from "./run-folders.ts";
import { SegmentWriter } from "./segments.ts";

export type HeaderStart = Omit<HeaderLine, "type" | "version" | "run">;

export interface TrialOutput {
  transcript?: Transcript;
  raw?: string;
}

/**
 * Appends to one record. Everything is masked before it is written, and a promise resolves once its line is in the
 * file.
 */
export interface RecordWriter extends RecordPlace {
  question(line: QuestionLine): Promise<void>;
  /** Fills in the line's `transcript` and `raw` references. */
  trial(line: TrialLine, output?: TrialOutput): Promise<void>;
  /** Writes the footer, syncs everything to disk, and unlocks the run. */
  close(footer: FooterLine): Promise<void>;
  abandon(): Promise<void>;
}

/** Written data is synced to disk after at most this long. */
const SYNC_MS = 1_000;
const BATCH_CHARS = 4_000_000;
const SEGMENT_BYTES = 64_000_000;

export interface RecordEnd {
  seed: string;
  lines: number;
}

interface Waiting {
  resolve(): void;
  reject(reason: unknown): void;
}

/**
 * Lines of one turn of the event loop are written together, after the segments they point into. If a write fails, the
 * file is cut back to its last whole line and the writer accepts no more.
 */
export class RecordFile implements RecordWriter {
  readonly run: string;
  readonly dir: string;
  readonly file: string;
  readonly #fd: number;
  readonly #mask: Mask;
  readonly #release: () => void;
  readonly #syncMs: number;
  readonly #transcripts: SegmentWriter;
  readonly #raw: SegmentWriter;
  #size: number;
  #end: RecordEnd;
  #lines: string[] = [];
  #chars = 0;
  #waiting: Waiting[] = [];
  #scheduled = false;
  #syncTimer: NodeJS.Timeout | undefined;
  #syncing: Promise<void> = Promise.resolve();
  #broken: unknown;
  #closed = false;

  constructor(
    place: RecordPlace,
    options: {
      fd: number;
      size: number;
      end: RecordEnd;
      mask: Mask;
      release(): void;
      segmentBytes?: number;
      syncMs?: number;
    },
  ) {
    this.run = place.run;
    this.dir = place.dir;
    this.file = place.file;
    this.#fd = options.fd;
    this.#size = options.size;
    this.#end = options.end;
    this.#mask = options.mask;
    this.#release = options.release;
    this.#syncMs = options.syncMs ?? SYNC_MS;
    const maxBytes = options.segmentBytes ?? SEGMENT_BYTES;
    this.#transcripts = new SegmentWriter(place.dir, "transcripts", { maxBytes });
    this.#raw = new SegmentWriter(place.dir, "raw", { maxBytes, compressed: true });
  }

  question(line: QuestionLine): Promise<void> {
    return this.append(line);
  }

  async trial(line: TrialLine, { transcript, raw }: TrialOutput = {}): Promise<void> {
    this.#refuseIfDone();
    const { target, ask, run } = line;
    try {
      if (transcript)
        line.transcript = this.#transcripts.add(maskedTranscript({ target, ask, run, transcript }, this.#mask));
      if (raw) line.raw = this.#raw.add(JSON.stringify({ target, ask, run, raw: this.#mask(raw) }));
    } catch (error) {
      this.#break(error);
      throw this.#broken;
    }
    return this.append(line);
  }

  async close(footer: FooterLine): Promise<void> {
    try {
      await this.append(footer);
    } finally {
      await this.abandon();
    }
  }

  async abandon(): Promise<void> {
    if (this.#closed) return;
    this.#flush();
    clearTimeout(this.#syncTimer);
    await this.#sync();
    if (this.#closed) return;
    this.#closed = true;
    this.#transcripts.close();
    this.#raw.close();
    files.closeSync(this.#fd);
    this.#release();
    if (this.#broken !== undefined) throw this.#broken;
  }

  append(line: RecordLine): Promise<void> {
    this.#refuseIfDone();
    const { seed, lines } = this.#end;
    const whole = withChecksum(maskedLine(line, this.#mask), lines, seed);
    this.#end = { seed: line.type === "header" ? whole.sum : seed, lines: lines + 1 };
    const text = `${whole.text}\n`;
    this.#lines.push(text);
    this.#chars += text.length;
    const written = new Promise<void>((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
    });
    if (this.#chars > BATCH_CHARS) this.#flush();
    else if (!this.#scheduled) {
      this.#scheduled = true;
      setImmediate(() => this.#flush());
    }
    return written;
  }

  #refuseIfDone(): void {
    if (this.#broken !== undefined) throw this.#broken;
    if (this.#closed) throw new Error("The record is closed");
  }

  #flush(): void {
    this.#scheduled = false;
    if (this.#lines.length === 0 || this.#closed) return;
    const data = Buffer.from(this.#lines.join(""));
    const waiting = this.#waiting;
    this.#lines = [];
    this.#chars = 0;
    this.#waiting = [];
    try {
      if (this.#broken !== undefined) throw this.#broken;
      this.#transcripts.flush();
      this.#raw.flush();
      writeFully(this.#fd, data);
    } catch (error) {
      this.#break(error);
      for (const { reject } of waiting) reject(this.#broken);
      return;
    }
    this.#size += data.length;
    this.#syncTimer ??= setTimeout(() => this.#sync(), this.#syncMs).unref();
    for (const { resolve } of waiting) resolve();
  }

  /** Syncs run one after the other, so once the last has ended no file is touched any more. */
  #sync(): Promise<void> {
    this.#syncTimer = undefined;
    this.#syncing = this.#syncing.then(() => this.#syncNow());
    return this.#syncing;
  }

  async #syncNow(): Promise<void> {
    if (this.#closed || this.#broken !== undefined) return;
    try {
      await Promise.all([this.#transcripts.sync(), this.#raw.sync()]);
      await syncFile(this.#fd);
    } catch (error) {
      this.#break(error);
    }
  }

  #break(error: unknown): void {
    if (this.#broken !== undefined) return;
    this.#broken = explainDisk(error, this.file);
    try {
      files.ftruncateSync(this.#fd, this.#size);
    } catch {
      // The half-written line stays; every reader ignores it.
    }
  }
}
