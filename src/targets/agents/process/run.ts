import { timerMs } from "../../../base/index.ts";
import type { Exit, StopReason } from "../../../hosts/index.ts";
import { spawnAlone } from "./descriptors.ts";
import { watchDisk } from "./disk-watch.ts";
import { LineSplitter } from "./lines.ts";
import { Meter } from "./meter.ts";
import { numbered } from "./numbered.ts";
import {
  killEach,
  killMarked,
  killNumbered,
  killTraced,
  MARKER,
  signalGroup,
  signalInside,
  tracesOf,
} from "./process-tree.ts";

export interface Command {
  file: string;
  args: string[];
  env: Record<string, string>;
  cwd: string;
  /** Where all lies that it may write: what it comes to on the disk is limited. */
  folder?: string;
  /** Written to stdin, then end of file; absent = end of file at once. */
  stdin?: string;
  /** Unique to this process and all it starts. */
  marker: string;
  /** Asks it to end; SIGKILL follows. */
  stopSignal: NodeJS.Signals;
  /** The file is a sandbox that stays around the CLI as a process of its own. */
  sandboxed?: boolean;
}

export interface ProcessLimits {
  /** Until the first line that `isEvent` accepts. */
  firstEventMs: number;
  totalMs: number;
  /** Of stdout and stderr. */
  maxBytes: number;
  /** Of its folder. */
  maxDiskBytes: number;
  /** At once. */
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

export interface Run {
  /** Every line of stdout to the very end. */
  lines: AsyncIterable<string>;
  /** Settles when the process and everything it started is gone. */
  exit: Promise<Exit>;
  /** The reader saw an event: the limit for the first one no longer holds. */
  sawEvent(): void;
  /** Ends it, now, or after `waitMs` if it has not ended on its own. */
  stop(reason: StopReason, waitMs?: number): void;
}

/** For output that nobody can still be writing; how long it may take to be read. */
const HELD_OPEN_MS = 5_000;
const STDERR_KEPT = 16_000;
const live = new Map<string, () => void>();

/** Starts a CLI in a process group of its own and sees to it that nothing of it outlives the run. */
export function startRun(command: Command, limits: ProcessLimits): Run {
  const started = performance.now();
  const { command: marked, number, release } = numbered(command);
  const child = spawnAlone(marked.file, marked.args, {
    cwd: command.cwd,
    env: { ...command.env, [MARKER]: command.marker },
    detached: process.platform !== "win32",
    windowsHide: true,
  });
  const meter = new Meter(child.pid, limits.maxProcesses, () => stop("processes"));
  const unwatch =
    command.folder === undefined ? () => {} : watchDisk(command.folder, limits.maxDiskBytes, () => stop("disk"));
  const traces = tracesOf(child.pid, command.marker);
  live.set(command.marker, killAll);
  guardExit();
  const queue = new LineQueue();
  const splitter = new LineSplitter();
  let stopped: StopReason | undefined;
  let over = false;
  let failed: Error | undefined;
  let bytes = 0;
  let stderr = "";

  // A CLI that ends before it has read its input makes this pipe fail; its exit code says the rest.
  child.stdin.on("error", () => {});
  child.stdin.end(command.stdin ?? "");
  child.stdout.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    meter.look();
    if (bytes > limits.maxBytes) return stop("flood");
    for (const line of splitter.push(chunk)) queue.push(line);
  });
  child.stderr.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > limits.maxBytes) return stop("flood");
    stderr = (stderr + chunk.toString("utf8")).slice(-STDERR_KEPT);
  });

  let first: NodeJS.Timeout | undefined = setTimeout(() => stop("first_event"), timerMs(limits.firstEventMs));
  const total = setTimeout(() => stop("timeout"), timerMs(limits.totalMs));
  let grace: NodeJS.Timeout | undefined;
  let waiting: NodeJS.Timeout | undefined;

  function stop(reason: StopReason, waitMs = 0): void {
    // What is over is not ended: another of the same marker may have begun, and would be.
    if (stopped !== undefined || over) return;
    if (waitMs > 0) {
      waiting ??= setTimeout(() => stop(reason), waitMs);
      return;
    }
    stopped = reason;
    meter.look();
    if (child.pid === undefined) return;
    // What fills the machine is not asked first.
    if (reason === "disk" || reason === "processes") killAll();
    else if (command.sandboxed) signalInside(child.pid, command.stopSignal);
    else signalGroup(child.pid, command.stopSignal);
    grace = setTimeout(() => killAll(), limits.graceMs);
  }

  function killAll(): void {
    if (child.pid !== undefined) signalGroup(child.pid, "SIGKILL");
    killStrays();
  }

  /** Shells that the CLI left behind in sessions of their own, and whatever tried not to be found. */
  function killStrays(): void {
    killMarked(command.marker);
    killEach(meter.left());
    if (traces !== undefined) killTraced(traces);
    if (number !== undefined) killNumbered(number);
  }

  const exit = new Promise<Exit>((resolve) => {
    let left = false;
    const finish = (code: number | null, signal: NodeJS.Signals | null) => {
      over = true;
      for (const timer of [first, total, grace, waiting]) clearTimeout(timer);
      unwatch();
      killStrays();
      release();
      live.delete(command.marker);
      for (const line of splitter.end()) queue.push(line);
      queue.end();
      const ms = performance.now() - started;
      const resources = meter.stop();
      resolve({ code, signal, stderr, ms, resources, stopped, failed });
    };
    child.on("error", (error) => {
      if (left || child.pid !== undefined) return;
      left = true;
      failed = error;
      finish(null, null);
    });
    const closed = (code: number | null, signal: NodeJS.Signals | null) => {
      if (left) return;
      left = true;
      finish(code, signal);
    };
    // A child that inherited stdout keeps it open after the CLI is gone: kill it, then `close` comes. What cannot be killed is not waited for.
    child.on("exit", (code, signal) => {
      clearTimeout(waiting);
      waiting = setTimeout(() => {
        killAll();
        waiting = setTimeout(() => {
          for (const stream of [child.stdout, child.stderr]) stream.destroy();
          closed(code, signal);
        }, HELD_OPEN_MS);
      }, 250);
    });
    child.on("close", closed);
  });

  return {
    lines: queue,
    exit,
    sawEvent() {
      clearTimeout(first);
      first = undefined;
    },
    stop,
  };
}

let guarded = false;

/** Should this process end while trials run, they end with it. */
function guardExit(): void {
  if (guarded) return;
  guarded = true;
  process.on("exit", () => {
    for (const end of live.values()) end();
  });
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
