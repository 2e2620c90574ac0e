import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { statOf } from "./owner.ts";

/**
 * The name of the variable that marks every process of a trial. Agents start shells in sessions of their own, which neither the process
 * group nor the parent's id leads to once the agent is dead; the environment they inherited still does.
 */
export const MARKER = "PROCTOR_TRIAL";

/** Sends a signal to the process group of a child that was started detached. */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    if (process.platform === "win32") execFileSync("taskkill", ["/pid", String(pid), "/T", "/F"], { stdio: "ignore" });
    else process.kill(-pid, signal);
  } catch {
    // It is gone already.
  }
}

/** Sends a signal to what a sandbox holds, and not to the sandbox: without it, all that it holds would be killed at once. */
export function signalInside(sandbox: number, signal: NodeJS.Signals): void {
  const members = processes().filter((pid) => pid !== sandbox && groupOf(pid) === sandbox);
  if (members.length === 0) signalGroup(sandbox, signal);
  for (const pid of members) send(pid, signal);
}

/** Kills what is left of a trial, however far it went from its parent. */
export function killMarked(marker: string): void {
  for (const pid of marked((found) => found === marker)) send(pid, "SIGKILL");
}

/** Kills what is left of every trial that `isOver` knows, and waits until it is gone. */
export async function killOver(isOver: (marker: string) => boolean): Promise<number> {
  const pids = marked(isOver);
  for (const pid of pids) send(pid, "SIGKILL");
  for (let tries = 0; tries < 50 && pids.length > 0 && marked(isOver).length > 0; tries++) await sleep(20);
  return pids.length;
}

/** The ids of all processes. Linux only. */
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
    // It ended by itself.
  }
}

/** Processes that carry a marker. Linux shows every process's environment in /proc, other Unixes with `ps -E`. */
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
    const lines = execFileSync("ps", ["-axwwE", "-o", "pid=,command="], { encoding: "utf8", maxBuffer: 64_000_000 }).split("\n");
    return lines.flatMap((line) => {
      const entry = line.split(" ").find((word) => word.startsWith(`${MARKER}=`));
      const pid = Number.parseInt(line, 10);
      return entry === undefined || !Number.isInteger(pid) ? [] : [{ pid, marker: entry.slice(MARKER.length + 1) }];
    });
  } catch {
    return [];
  }
}
