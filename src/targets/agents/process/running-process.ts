import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { StringDecoder } from "node:string_decoder";
import { timerMs } from "../../../base/index.ts";
import type { Exit, StopReason } from "../../../hosts/index.ts";
import { spawnAlone } from "./descriptors.ts";
import { watchDisk } from "./disk-watch.ts";
import { Meter } from "./meter.ts";
import { type Numbered, numbered } from "./numbered.ts";
import {
  killEach,
  killMarked,
  killNumbered,
  killTraced,
  MARKER,
  signalGroup,
  signalInside,
  type Traces,
  tracesOf,
} from "./process-tree.ts";

export interface Command {
  file: string;
  args: string[];
  env: Record<string, string>;
  cwd: string;
  folder?: string;
  stdin?: string;
  marker: string;
  stopSignal: NodeJS.Signals;
  /** The file is a sandbox that stays around the CLI as a process of its own. */
  sandboxed?: boolean;
}

export interface ProcessLimits {
  firstEventMs: number;
  totalMs: number;
  maxBytes: number;
  maxDiskBytes: number;
  maxProcesses: number;
  graceMs: number;
}

export const DEFAULT_LIMITS: ProcessLimits = {
  firstEventMs: 60_000,
  totalMs: 120_000,
  maxBytes: 64_000_000,
  maxDiskBytes: 4_000_000_000,
  maxProcesses: 4_096,
  graceMs: 3_000,
};

/** How long output may stay open after the process is gone and everything it started was killed. */
const HELD_OPEN_MS = 5_000;
const STDERR_KEPT = 16_000;
const live = new Set<RunningProcess>();

/** Starts a program in a process group of its own; nothing it starts outlives it. */
export function startProcess(command: Command, limits: ProcessLimits): RunningProcess {
  return new RunningProcess(command, limits);
}

export class RunningProcess {
  readonly exit: Promise<Exit>;
  readonly #command: Command;
  readonly #limits: ProcessLimits;
  readonly #started = performance.now();
  readonly #numbered: Numbered;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #traces: Traces | undefined;
  readonly #meter: Meter;
  readonly #unwatchDisk: () => void;
  readonly #queue = new LineQueue();
  readonly #splitter = new LineSplitter();
  readonly #timers: Partial<Record<"firstEvent" | "total" | "grace" | "waiting", NodeJS.Timeout>> = {};
  #settle: (exit: Exit) => void = () => {};
  #stopped: StopReason | undefined;
  #over = false;
  #bytes = 0;
  #stderr = "";

  constructor(command: Command, limits: ProcessLimits) {
    this.#command = command;
    this.#limits = limits;
    this.#numbered = numbered(command);
    const { file, args } = this.#numbered.command;
    this.#child = spawnAlone(file, args, {
      cwd: command.cwd,
      env: { ...command.env, [MARKER]: command.marker },
      detached: process.platform !== "win32",
      windowsHide: true,
    });
    const { pid } = this.#child;
    this.#meter = new Meter(pid, limits.maxProcesses, () => this.stop("processes"));
    this.#unwatchDisk =
      command.folder === undefined ? () => {} : watchDisk(command.folder, limits.maxDiskBytes, () => this.stop("disk"));
    this.#traces = tracesOf(pid, command.marker);
    live.add(this);
    guardExit();
    this.exit = new Promise((resolve) => {
      this.#settle = resolve;
    });
    this.#connectStreams();
    this.#setTimer("firstEvent", limits.firstEventMs, () => this.stop("first_event"));
    this.#setTimer("total", limits.totalMs, () => this.stop("timeout"));
    this.#awaitEnd();
  }

  get lines(): AsyncIterable<string> {
    return this.#queue;
  }

  sawEvent(): void {
    clearTimeout(this.#timers.firstEvent);
  }

  /** Ends it now, or after `waitMs` if it has not ended on its own. */
  stop(reason: StopReason, waitMs = 0): void {
    // A later process may have the same marker: once this one is over, there is nothing left to end.
    if (this.#stopped !== undefined || this.#over) return;
    if (waitMs > 0) {
      if (this.#timers.waiting === undefined) this.#setTimer("waiting", waitMs, () => this.stop(reason));
      return;
    }
    this.#stopped = reason;
    this.#meter.look();
    const { pid } = this.#child;
    if (pid === undefined) return;
    // What fills the machine is killed without being asked first.
    if (reason === "disk" || reason === "processes") this.killAll();
    else if (this.#command.sandboxed) signalInside(pid, this.#command.stopSignal);
    else signalGroup(pid, this.#command.stopSignal);
    this.#setTimer("grace", this.#limits.graceMs, () => this.killAll());
  }

  killAll(): void {
    if (this.#child.pid !== undefined) signalGroup(this.#child.pid, "SIGKILL");
    this.#killStrays();
  }

  /** Shells that the CLI left behind in sessions of their own, and whatever tried not to be found. */
  #killStrays(): void {
    killMarked(this.#command.marker);
    killEach(this.#meter.left());
    if (this.#traces !== undefined) killTraced(this.#traces);
    if (this.#numbered.number !== undefined) killNumbered(this.#numbered.number);
  }

  #connectStreams(): void {
    const { stdin, stdout, stderr } = this.#child;
    // A CLI that ends before it has read its input makes this pipe fail; its exit code says the rest.
    stdin.on("error", () => {});
    stdin.end(this.#command.stdin ?? "");
    stdout.on("data", (chunk: Buffer) => {
      this.#meter.look();
      if (this.#isFlood(chunk)) return;
      for (const line of this.#splitter.push(chunk)) this.#queue.push(line);
    });
    stderr.on("data", (chunk: Buffer) => {
      if (this.#isFlood(chunk)) return;
      this.#stderr = (this.#stderr + chunk.toString("utf8")).slice(-STDERR_KEPT);
    });
  }

  #isFlood(chunk: Buffer): boolean {
    this.#bytes += chunk.length;
    if (this.#bytes <= this.#limits.maxBytes) return false;
    this.stop("flood");
    return true;
  }

  #awaitEnd(): void {
    const child = this.#child;
    child.on("error", (error) => {
      if (child.pid === undefined) this.#finish({ code: null, signal: null, failed: error });
    });
    // A child that inherited stdout keeps it open after the CLI is gone. It is killed, and then `close` comes; if it
    // cannot be killed, the streams are closed without it.
    child.on("exit", (code, signal) => {
      this.#setTimer("waiting", 250, () => {
        this.killAll();
        this.#setTimer("waiting", HELD_OPEN_MS, () => {
          for (const stream of [child.stdout, child.stderr]) stream.destroy();
          this.#finish({ code, signal });
        });
      });
    });
    child.on("close", (code, signal) => this.#finish({ code, signal }));
  }

  #finish(ended: Pick<Exit, "code" | "signal" | "failed">): void {
    if (this.#over) return;
    this.#over = true;
    for (const timer of Object.values(this.#timers)) clearTimeout(timer);
    this.#unwatchDisk();
    this.#killStrays();
    this.#numbered.release();
    live.delete(this);
    for (const line of this.#splitter.end()) this.#queue.push(line);
    this.#queue.end();
    this.#settle({
      ...ended,
      stderr: this.#stderr,
      ms: performance.now() - this.#started,
      resources: this.#meter.stop(),
      stopped: this.#stopped,
    });
  }

  #setTimer(name: "firstEvent" | "total" | "grace" | "waiting", ms: number, then: () => void): void {
    clearTimeout(this.#timers[name]);
    this.#timers[name] = setTimeout(then, timerMs(ms));
  }
}

let guarded = false;

/** If this process ends while trials run, they end with it. */
function guardExit(): void {
  if (guarded) return;
  guarded = true;
  process.on("exit", () => {
    for (const running of live) running.killAll();
  });
}

/** Cuts bytes into lines. Chunks may split characters, and the last line may lack its newline. */
class LineSplitter {
  #decoder = new StringDecoder("utf8");
  #rest = "";

  push(chunk: Buffer): string[] {
    return this.#cut(this.#decoder.write(chunk));
  }

  end(): string[] {
    const lines = this.#cut(this.#decoder.end());
    const last = this.#rest;
    this.#rest = "";
    return last === "" ? lines : [...lines, last];
  }

  #cut(text: string): string[] {
    const parts = text.split("\n");
    parts[0] = this.#rest + parts[0];
    this.#rest = parts.pop() ?? "";
    return parts.map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
  }
}

class LineQueue implements AsyncIterable<string> {
  #lines: string[] = [];
  #ended = false;
  #wake: (() => void) | undefined;

  push(line: string): void {
    this.#lines.push(line);
    this.#wake?.();
  }

  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string> {
    while (true) {
      const batch = this.#lines;
      this.#lines = [];
      yield* batch;
      if (this.#lines.length > 0) continue;
      if (this.#ended) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
  }
}
