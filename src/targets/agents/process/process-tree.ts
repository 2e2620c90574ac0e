import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { statOf } from "../../../base/index.ts";
import { hasNumber } from "./numbered.ts";

/**
 * Marks every process of a trial. Agents start shells in sessions of their own; once the agent is dead, neither
 * process group nor parent leads to them, but the inherited environment does.
 */
export const MARKER = "PROCTOR_TRIAL";

export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    if (process.platform === "win32") execFileSync("taskkill", ["/pid", String(pid), "/T", "/F"], { stdio: "ignore" });
    else process.kill(-pid, signal);
  } catch {
    // It is gone already.
  }
}

/** Signals what is inside a sandbox, not the sandbox itself: its end would kill everything inside at once. */
export function signalInside(sandbox: number, signal: NodeJS.Signals): void {
  const members = processes().filter((pid) => pid !== sandbox && groupOf(pid) === sandbox);
  if (members.length === 0) signalGroup(sandbox, signal);
  for (const pid of members) send(pid, signal);
}

export function killMarked(marker: string): void {
  for (const pid of marked((found) => found === marker)) send(pid, "SIGKILL");
}

/** Identifies a process of a trial that has neither its marker nor its group any more. */
export interface Traces {
  /** Start of the CLI as /proc counts it: older processes are not ours. */
  since: number;
  folder: string;
  streams: readonly string[];
}

export function tracesOf(pid: number | undefined, folder: string): Traces | undefined {
  if (process.platform !== "linux" || pid === undefined) return undefined;
  try {
    const streams = [0, 1, 2]
      .map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`))
      .filter((link) => /^(socket|pipe):/.test(link));
    return { since: Number(statOf(pid)[19]), folder, streams };
  } catch {
    return undefined;
  }
}

/**
 * Kills what works in the trial's folder, holds one of its files open, or holds one of its streams, whatever its
 * environment says. Skips processes attached to a terminal.
 */
export function killTraced({ since, folder, streams }: Traces): void {
  const isOurs = (link: string) =>
    streams.includes(link) || link.split("/").some((part) => part === folder || part === `${folder}-gone`);
  for (const pid of processes()) {
    if (pid === process.pid) continue;
    try {
      const stat = statOf(pid);
      if (Number(stat[19]) < since || stat[4] !== "0") continue;
      if (links(pid).some(isOurs)) send(pid, "SIGKILL");
    } catch {
      // Ended meanwhile, or another user's.
    }
  }
}

/** Kills what inherited the number. Twice, to catch what was being started meanwhile. */
export function killNumbered(number: number): void {
  const isOurs = (pid: number) => pid !== process.pid && hasNumber(pid, number);
  for (let again = 0; again < 2; again++) {
    const found = processes().filter(isOurs);
    if (found.length === 0) break;
    killEach(found);
  }
  chase(isOurs);
}

/** Not seen for this long, it counts as gone. */
const GONE_MS = 5;
const LONGEST_CHASE_MS = 3_000;
const NEWEST = 32;

/**
 * A process that keeps forking and exiting has another id before all processes are listed. But it is always among the
 * newest, and those can be checked faster than it moves.
 */
function chase(isOurs: (pid: number) => boolean): void {
  const begun = performance.now();
  let seen = begun;
  let last = newestProcess();
  const met = new Set<number>();
  for (let now = begun; now - seen < GONE_MS && now - begun < LONGEST_CHASE_MS; now = performance.now()) {
    const newest = newestProcess();
    const from = newest - last > NEWEST || newest < last ? newest - NEWEST : Math.min(last, newest - 2);
    for (let pid = newest; pid > from && pid > 1; pid--) {
      if (!isOurs(pid)) continue;
      send(pid, "SIGKILL");
      // One that has ended may stay in the list: it counts once.
      if (!met.has(pid)) seen = performance.now();
      met.add(pid);
    }
    last = newest;
  }
}

function newestProcess(): number {
  try {
    return Number(readFileSync("/proc/loadavg", "latin1").trim().split(" ").at(-1));
  } catch {
    return 0;
  }
}

function links(pid: number): string[] {
  const read = (name: string): string[] => {
    try {
      return [readlinkSync(`/proc/${pid}/${name}`)];
    } catch {
      return [];
    }
  };
  return [...["cwd", "root", "exe"].flatMap(read), ...readdirSync(`/proc/${pid}/fd`).flatMap((fd) => read(`fd/${fd}`))];
}

export function killEach(pids: readonly number[]): void {
  for (const pid of pids) send(pid, "SIGKILL");
}

/** Kills what is left of every trial that `isOver`, and waits until it is gone. */
export async function killOver(isOver: (marker: string) => boolean): Promise<number> {
  const pids = marked(isOver);
  for (const pid of pids) send(pid, "SIGKILL");
  for (let tries = 0; tries < 50 && pids.length > 0 && marked(isOver).length > 0; tries++) await sleep(20);
  return pids.length;
}

function processes(): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => Number.isInteger(pid));
}

function groupOf(pid: number): number | undefined {
  try {
    return Number(statOf(pid)[2]);
  } catch {
    return undefined;
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended on its own.
  }
}

/** Linux shows environments in /proc, other Unixes with `ps -E`. */
function marked(matches: (marker: string) => boolean): number[] {
  const found = process.platform === "linux" ? fromProc() : process.platform === "win32" ? [] : fromPs();
  return found.filter(({ pid, marker }) => pid !== process.pid && matches(marker)).map(({ pid }) => pid);
}

interface Marked {
  pid: number;
  marker: string;
}

function fromProc(): Marked[] {
  return processes().flatMap((pid) => {
    try {
      const entry = readFileSync(`/proc/${pid}/environ`, "latin1")
        .split("\0")
        .find((one) => one.startsWith(`${MARKER}=`));
      return entry === undefined ? [] : [{ pid, marker: entry.slice(MARKER.length + 1) }];
    } catch {
      // Ended meanwhile, or another user's.
      return [];
    }
  });
}

function fromPs(): Marked[] {
  try {
    const lines = execFileSync("ps", ["-axwwE", "-o", "pid=,command="], {
      encoding: "utf8",
      maxBuffer: 64_000_000,
    }).split("\n");
    return lines.flatMap((line) => {
      const entry = line.split(" ").find((word) => word.startsWith(`${MARKER}=`));
      const pid = Number.parseInt(line, 10);
      return entry === undefined || !Number.isInteger(pid) ? [] : [{ pid, marker: entry.slice(MARKER.length + 1) }];
    });
  } catch {
    return [];
  }
}
