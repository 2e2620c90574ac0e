import { readFileSync } from "node:fs";
import type { Resources } from "../../../transcripts/index.ts";
import { statOf } from "./owner.ts";
import { processes } from "./tree.ts";

const EVERY_MS = 100;
/** Output makes it look again, so that the end of a run is seen; but not for every line. */
const AT_MOST_EVERY_MS = 25;

/**
 * What a process and all it started use, as the kernel counts it: looked up from time to time, since it is gone with the process. What ended
 * children have used is in the count of the one who waited for them, so that nothing short is missed but the last moments of the run itself.
 * Linux only.
 */
export class Meter {
  readonly #pid: number | undefined;
  #cpuTicks = 0;
  #peakKb = 0;

  constructor(pid: number | undefined) {
    if (pid === undefined || process.platform !== "linux") return;
    this.#pid = pid;
    meters.add(this);
    timer ??= setInterval(() => lookAtAll(), EVERY_MS).unref();
  }

  look(): void {
    if (meters.has(this) && performance.now() - lastLook > AT_MOST_EVERY_MS) lookAtAll();
  }

  /** Absent is what was never seen, which is something else than 0. */
  stop(): Resources | undefined {
    meters.delete(this);
    if (meters.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
    if (this.#cpuTicks === 0 || this.#peakKb === 0) return undefined;
    return { peakMemoryBytes: this.#peakKb * 1024, cpuMs: this.#cpuTicks * (1000 / TICKS_PER_SECOND) };
  }

  /** The tree as it is now: the memory of all together, or of the largest at its peak between two looks. */
  see(all: ReadonlyMap<number, Seen>): void {
    const tree = treeOf(this.#pid!, all);
    const memory = tree.flatMap(memoryOf);
    const sum = memory.reduce((total, { now }) => total + now, 0);
    this.#peakKb = Math.max(this.#peakKb, sum, ...memory.map(({ peak }) => peak));
    this.#cpuTicks = Math.max(
      this.#cpuTicks,
      tree.reduce((total, pid) => total + all.get(pid)!.cpuTicks, 0),
    );
  }
}

/** In /proc, whatever the kernel counts with itself. */
const TICKS_PER_SECOND = 100;
const meters = new Set<Meter>();
let timer: NodeJS.Timeout | undefined;
let lastLook = Number.NEGATIVE_INFINITY;

interface Seen {
  parent: number;
  /** Its own, and those of the children it waited for. */
  cpuTicks: number;
}

/** One look at all processes serves every run. */
function lookAtAll(): void {
  const all = new Map<number, Seen>();
  for (const pid of processes()) {
    try {
      const stat = statOf(pid);
      all.set(pid, { parent: Number(stat[1]), cpuTicks: [11, 12, 13, 14].reduce((sum, index) => sum + Number(stat[index]), 0) });
    } catch {
      // Ended meanwhile.
    }
  }
  for (const meter of meters) meter.see(all);
  lastLook = performance.now();
}

function treeOf(root: number, all: ReadonlyMap<number, Seen>): number[] {
  if (!all.has(root)) return [];
  const tree = [root];
  for (const pid of tree) for (const [child, { parent }] of all) if (parent === pid) tree.push(child);
  return tree;
}

function memoryOf(pid: number): { now: number; peak: number }[] {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "latin1");
    const [now, peak] = [/^VmRSS:\s+(\d+) kB/m, /^VmHWM:\s+(\d+) kB/m].map((field) => Number(field.exec(status)?.[1]));
    return Number.isNaN(now) ? [] : [{ now: now!, peak: peak! }];
  } catch {
    return [];
  }
}
