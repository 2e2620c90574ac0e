import { existsSync, readdirSync, readFileSync } from "node:fs";
import { statOf } from "../../../base/index.ts";
import type { Resources } from "../../../model/index.ts";

const EVERY_MS = 250;
/** Output triggers another look, so that the end is seen; but not every line does. */
const AT_MOST_EVERY_MS = 50;
/** /proc always counts in hundredths of a second. */
const TICKS_PER_SECOND = 100;
const available = existsSync(`/proc/self/task/${process.pid}/children`);

/**
 * Resources of a process and everything it started. Polled, since the kernel's counters vanish with the process. A
 * parent's counters include children it waited for, so only the last moments are missed.
 */
export class Meter {
  readonly #root: number | undefined;
  #most = 0;
  #onTooMany = () => {};
  #timer: NodeJS.Timeout | undefined;
  #lastLook = Number.NEGATIVE_INFINITY;
  #cpuTicks = 0;
  #peakKb = 0;
  readonly #seen = new Map<number, string>();

  constructor(pid: number | undefined, most: number, onTooMany: () => void) {
    if (pid === undefined || !available) return;
    this.#root = pid;
    this.#most = most;
    this.#onTooMany = onTooMany;
    this.#timer = setInterval(() => this.#see(everyThread), EVERY_MS).unref();
  }

  look(): void {
    if (performance.now() - this.#lastLook > AT_MOST_EVERY_MS) this.#see(mainThread);
  }

  /** Undefined if nothing was seen, which is not 0. */
  stop(): Resources | undefined {
    clearInterval(this.#timer);
    this.#timer = undefined;
    if (this.#cpuTicks === 0 || this.#peakKb === 0) return undefined;
    return { peakMemoryBytes: this.#peakKb * 1024, cpuMs: this.#cpuTicks * (1000 / TICKS_PER_SECOND) };
  }

  /** Processes once seen below the root that still run, whoever their parent is now. */
  left(): number[] {
    return [...this.#seen].filter(([pid, start]) => startOf(pid) === start).map(([pid]) => pid);
  }

  /** Memory of the largest process: a sum would count shared pages twice, and right after a fork all of them. */
  #see(threadsOf: (pid: number) => Iterable<string>): void {
    if (this.#timer === undefined) return;
    // `!`: it has a timer when it has a root.
    const tree = [this.#root!];
    const seen: Use[] = [];
    for (const pid of tree) {
      const start = startOf(pid);
      if (start !== undefined) this.#seen.set(pid, start);
      seen.push(...useOf(pid));
      for (const thread of threadsOf(pid)) tree.push(...childrenOf(pid, thread));
      if (tree.length > this.#most) break;
    }
    if (tree.length > this.#most) this.#onTooMany();
    const cpuTicks = seen.reduce((total, use) => total + use.cpuTicks, 0);
    this.#cpuTicks = Math.max(this.#cpuTicks, cpuTicks);
    this.#peakKb = Math.max(this.#peakKb, ...seen.map(({ peakKb }) => peakKb));
    this.#lastLook = performance.now();
  }
}

function startOf(pid: number): string | undefined {
  try {
    return statOf(pid)[19];
  } catch {
    return undefined;
  }
}

interface Use {
  cpuTicks: number;
  peakKb: number;
}

function useOf(pid: number): Use[] {
  try {
    const stat = statOf(pid);
    const status = readFileSync(`/proc/${pid}/status`, "latin1");
    const cpuTicks = [11, 12, 13, 14].reduce((sum, index) => sum + Number(stat[index]), 0);
    return [{ cpuTicks, peakKb: Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) }];
  } catch {
    // Ended meanwhile.
    return [];
  }
}

function mainThread(pid: number): string[] {
  return [String(pid)];
}

/** Some start processes from other threads than the main one. */
function everyThread(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

function childrenOf(pid: number, thread: string): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${thread}/children`, "latin1").split(" ").filter(Boolean).map(Number);
  } catch {
    return [];
  }
}
